import { Parser, type ParserOptions } from "htmlparser2";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { AppError, type Wording } from "../../../errors.ts";

/** Limits for a kind of office document, and its name for messages. */
export interface OfficePartLimits {
  /** The name of the document in messages, such as `the workbook`. */
  documentName: Wording;
  /** Limit on the unpacked size of all parts that are read. */
  unpackedBytesMax: number;
  depthMax: number;
}

/** The limit on the unpacked size is ten times the size of a very large table. */
const WORKBOOK_LIMITS: OfficePartLimits = {
  documentName: { en: "the workbook", de: "Die Tabellendatei" },
  unpackedBytesMax: 256 * 1024 * 1024,
  depthMax: 64,
};
const ENTRIES_MAX = 10_000;
/** Limit on text that the parser buffers between events, such as an unclosed tag. */
const UNREAD_CHARACTERS_MAX = 4 * 1024 * 1024;

const XML_OPTIONS: ParserOptions = { xmlMode: true, decodeEntities: true };

/** Events of the XML reader; names have no namespace prefix. */
export interface XmlEventHandlers {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText?(text: string): void;
  onClose?(name: string): void;
}

/** The parts of an XLSX or DOCX file, which is a ZIP of XML. */
export interface OfficeParts extends AsyncDisposable {
  names: readonly string[];
  /**
   * Reads a part as a stream. Yields after each chunk, so that the caller can process the results
   * so far.
   */
  read(name: string, events: XmlEventHandlers): AsyncGenerator<void>;
  /** Unpacks a part that is not XML, to check its size against the size that the ZIP declares. */
  checkSize(name: string): Promise<void>;
  /** Unpacks a part into memory. */
  bytes(name: string): Promise<Uint8Array>;
}

/**
 * Opens an XLSX or DOCX file. Checks the sizes that the ZIP declares before it unpacks a part, and
 * refuses a part whose real size differs. Refuses XML with a document type declaration, because it
 * may define entities.
 *
 * @throws {AppError} `invalid` if the file is damaged, encrypted or too large.
 */
export async function openOfficeParts(
  path: string,
  limits: OfficePartLimits = WORKBOOK_LIMITS,
): Promise<OfficeParts> {
  const { documentName, unpackedBytesMax } = limits;
  const damaged = (reason: Wording) => unreadable(documentName, reason);
  const asFault = <T>(act: () => Promise<T>) => translatingErrors(act, documentName);
  const zip = await asFault(() => yauzl.openPromise(path, { autoClose: false, lazyEntries: true }));
  const entries = new Map<string, Entry>();
  try {
    await asFault(async () => {
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= ENTRIES_MAX)
          throw damaged({
            en: `it has more than ${ENTRIES_MAX} parts`,
            de: `mehr als ${ENTRIES_MAX} Teile`,
          });
        entries.set(entry.fileName, entry);
      }
    });
  } catch (error) {
    zip.close();
    throw error;
  }
  let unpacked = 0;
  const counted = new Set<string>();
  const countedEntry = (name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) {
      throw damaged({ en: `the part ${name} is missing`, de: `Der Teil ${name} fehlt` });
    }
    if (!counted.has(name)) unpacked += entry.uncompressedSize;
    counted.add(name);
    if (unpacked > unpackedBytesMax) {
      throw damaged({
        en: `it unpacks to more than ${unpackedBytesMax / 1024 / 1024} MiB; split it`,
        de: `Entpackt hat sie mehr als ${unpackedBytesMax / 1024 / 1024} MB: Teilen Sie sie auf`,
      });
    }
    return entry;
  };
  return {
    names: [...entries.keys()],
    async *read(name, events) {
      yield* xmlPieces(zip, countedEntry(name), { events, limits });
    },
    async checkSize(name) {
      const stream = await asFault(() => zip.openReadStreamPromise(countedEntry(name)));
      await asFault(async () => {
        for await (const _piece of stream);
      });
    },
    async bytes(name) {
      const stream = await asFault(() => zip.openReadStreamPromise(countedEntry(name)));
      const pieces: Uint8Array[] = [];
      await asFault(async () => {
        for await (const piece of stream) pieces.push(piece);
      });
      return Buffer.concat(pieces);
    },
    async [Symbol.asyncDispose]() {
      zip.close();
    },
  };
}

/** Reads a part to its end, calling the handlers in `events`. */
export async function readWholePart(
  parts: OfficeParts,
  name: string,
  events: XmlEventHandlers,
): Promise<void> {
  for await (const _piece of parts.read(name, events));
}

async function* xmlPieces(
  zip: ZipFile,
  entry: Entry,
  { events, limits }: { events: XmlEventHandlers; limits: OfficePartLimits },
): AsyncGenerator<void> {
  const { documentName, depthMax } = limits;
  const damaged = (reason: Wording) => unreadable(documentName, reason);
  let depth = 0;
  let unread = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        unread = 0;
        depth += 1;
        if (depth > depthMax)
          throw damaged({ en: "it nests too deep", de: "zu tief verschachtelt" });
        events.onOpen(localName(name), attributes);
      },
      onprocessinginstruction(name) {
        unread = 0;
        if (/^!doctype/i.test(name)) {
          throw damaged({
            en: "it has a document type",
            de: "Sie erklärt einen Dokumenttyp",
          });
        }
      },
      ontext(text) {
        unread = 0;
        events.onText?.(text);
      },
      onclosetag(name) {
        unread = 0;
        depth -= 1;
        events.onClose?.(localName(name));
      },
    },
    XML_OPTIONS,
  );
  const decoder = new TextDecoder();
  const stream = await translatingErrors(() => zip.openReadStreamPromise(entry), documentName);
  try {
    for await (const piece of stream) {
      const text = decoder.decode(piece, { stream: true });
      unread += text.length;
      parser.write(text);
      if (unread > UNREAD_CHARACTERS_MAX) {
        throw damaged({ en: "it has a tag without an end", de: "Ein Tag hat kein Ende" });
      }
      yield;
    }
  } catch (error) {
    throw faultOf(error, documentName);
  } finally {
    stream.destroy();
  }
  parser.end(decoder.decode());
  yield;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

async function translatingErrors<T>(act: () => Promise<T>, documentName: Wording): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw faultOf(error, documentName);
  }
}

/**
 * Converts an error of the libraries to an {@link AppError}: the file is damaged or declares wrong
 * sizes.
 */
function faultOf(error: unknown, documentName: Wording): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const kind = documentName.en.replace(/^the /, "a ");
  const reason = {
    en: `it is damaged, or is not ${kind}`,
    de: "beschädigt, oder keine solche Datei",
  };
  return unreadable(documentName, reason, error);
}

function unreadable(documentName: Wording, reason: Wording, cause?: unknown): AppError {
  const wording = {
    en: `Cannot read ${documentName.en}: ${reason.en}`,
    de: `${documentName.de} lässt sich nicht lesen (${reason.de})`,
  };
  return new AppError("invalid", wording, { cause });
}
