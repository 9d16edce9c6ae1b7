import { Parser, type ParserOptions } from "htmlparser2";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { AppError } from "../../../errors.ts";

/** What the parts of a workbook that are read may unpack to: ten times a very large table. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
const ENTRIES_MAX = 10_000;
const DEPTH_MAX = 64;
/** What the parser may buffer without an event, such as a tag without an end. */
const UNREAD_CHARACTERS_MAX = 4 * 1024 * 1024;

const OPTIONS: ParserOptions = { xmlMode: true, decodeEntities: true };

/** What a reader of XML is called with; names are without their namespace. */
export interface XmlEvents {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText?(text: string): void;
  onClose?(name: string): void;
}

/** The parts of an XLSX file, which is a ZIP of XML. */
export interface WorkbookParts extends AsyncDisposable {
  names: readonly string[];
  /** Reads a part as a stream; yields after each piece, so that the caller can take what it found. */
  read(name: string, events: XmlEvents): AsyncGenerator<void>;
}

/**
 * Opens an XLSX file. The sizes that the ZIP states are checked first, and a part that unpacks to another
 * size is refused as it is read. Entities that the XML declares are not expanded.
 *
 * @throws {AppError} `invalid` if it is damaged, encrypted or too large.
 */
export async function openWorkbookParts(path: string): Promise<WorkbookParts> {
  const zip = await asFault(() => yauzl.openPromise(path, { autoClose: false, lazyEntries: true }));
  const entries = new Map<string, Entry>();
  try {
    await asFault(async () => {
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= ENTRIES_MAX) throw damaged(`it has more than ${ENTRIES_MAX} parts`);
        entries.set(entry.fileName, entry);
      }
    });
  } catch (error) {
    zip.close();
    throw error;
  }
  let unpacked = 0;
  const counted = new Set<string>();
  return {
    names: [...entries.keys()],
    async *read(name, events) {
      const entry = entries.get(name);
      if (entry === undefined) throw damaged(`the part ${name} is missing`);
      if (!counted.has(name)) unpacked += entry.uncompressedSize;
      counted.add(name);
      if (unpacked > UNPACKED_BYTES_MAX) {
        throw damaged(`it unpacks to more than ${UNPACKED_BYTES_MAX / 1024 / 1024} MiB; split it`);
      }
      yield* xmlPieces(zip, entry, events);
    },
    async [Symbol.asyncDispose]() {
      zip.close();
    },
  };
}

/** Reads a part whole. */
export async function readWhole(
  parts: WorkbookParts,
  name: string,
  events: XmlEvents,
): Promise<void> {
  for await (const _piece of parts.read(name, events));
}

async function* xmlPieces(zip: ZipFile, entry: Entry, events: XmlEvents): AsyncGenerator<void> {
  let depth = 0;
  let unread = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        unread = 0;
        depth += 1;
        if (depth > DEPTH_MAX) throw damaged("it nests too deep");
        events.onOpen(localName(name), attributes);
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
    OPTIONS,
  );
  const decoder = new TextDecoder();
  const stream = await asFault(() => zip.openReadStreamPromise(entry));
  try {
    for await (const piece of stream) {
      const text = decoder.decode(piece, { stream: true });
      unread += text.length;
      parser.write(text);
      if (unread > UNREAD_CHARACTERS_MAX) throw damaged("it has a tag without an end");
      yield;
    }
  } catch (error) {
    throw faultOf(error);
  } finally {
    stream.destroy();
  }
  parser.end(decoder.decode());
  yield;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

async function asFault<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw faultOf(error);
  }
}

/** Errors of the libraries are about the file: it is damaged, or states false sizes. */
function faultOf(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  return new AppError("invalid", `${UNREADABLE}: it is damaged, or no workbook`, { cause: error });
}

const UNREADABLE = "Cannot read the workbook";

function damaged(reason: string): AppError {
  return new AppError("invalid", `${UNREADABLE}: ${reason}`);
}
