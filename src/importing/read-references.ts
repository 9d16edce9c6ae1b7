import { readFileSync, statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import type { ItemNameLookup } from "../content/import/item-names.ts";
import { createUnreadableItem, type ParsedItem } from "../content/import/parsed-item.ts";
import { parseBibtexEntries } from "../content/import/references/bibtex.ts";
import { looksLikeCsl, parseCslEntries } from "../content/import/references/csl-json.ts";
import type { BibliographyEntryOrError } from "../content/import/references/reference-entry.ts";
import { parseRisEntries } from "../content/import/references/ris.ts";
import { convertEntriesToItems, surveyEntries } from "../content/import/references/work-items.ts";
import { createItemsForNames } from "../content/import/tables/named-items.ts";
import { findNameDraftsToPublish } from "../content/import/tables/reading/drafts-of-names.ts";
import { sourceNameOfFile } from "../content/import/tables/reading/open-table-import.ts";
import { decodeTextStream, detectTextEncoding } from "../content/import/tables/text-encoding.ts";
import type { ContentRecord } from "../content/record.ts";
import { readSiteTimeZone } from "../content/site/time-zone.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { AppError, type Wording } from "../errors.ts";
import { createExistingWorkFinder, type WorksByTitle } from "./existing-works.ts";
import { readFileHead } from "./file-head.ts";

interface Options {
  now: Date;
  /** The type that entries are imported as; absent: works. */
  type?: string;
  origin: string;
  /** The works on the site before the import. */
  titles: WorksByTitle;
  names: ItemNameLookup;
  /** Whether the import publishes all items. */
  publishesAll: boolean;
  onNote: (message: Wording) => void;
  /** Called between entries to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
}

interface Format {
  name: string;
  extensions: readonly string[];
  /**
   * Yields the entries. After a step without an entry, yields null, to let the caller yield to the
   * event loop.
   */
  read: (text: string) => Iterable<BibliographyEntryOrError | null>;
}

const REFERENCE_FORMATS: readonly Format[] = [
  { name: "BibTeX", extensions: [".bib", ".bibtex"], read: parseBibtexEntries },
  { name: "RIS", extensions: [".ris"], read: parseRisEntries },
  { name: "CSL-JSON", extensions: [".json"], read: parseCslEntries },
];

/** Limits memory: parsing takes up to five bytes per character. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Limits memory: an entry takes about 2 KB. */
const ENTRIES_MAX = 200_000;
const TOO_MANY: Wording = {
  en: `nothing of it is imported: it has more than ${ENTRIES_MAX} entries; split it`,
  de: `nichts daraus wird importiert: es hat mehr als ${ENTRIES_MAX} Einträge; teilen Sie die Datei auf`,
};

/** Matches settings files that look like CSL-JSON, because they contain an author and a type. */
const OTHER_JSON = /(?:^|[\\/])(?:package|package-lock|composer|bower|manifest)\.json$/i;

/** Whether a file is a bibliography, judged by its name or, if it is JSON, by its content. */
export function isBibliography(path: string): boolean {
  if (OTHER_JSON.test(path)) return false;
  const format = formatOf(path);
  return format !== undefined && (format.name !== "CSL-JSON" || looksLikeCsl(readFileHead(path)));
}

function formatOf(path: string): Format | undefined {
  return REFERENCE_FORMATS.find(({ extensions }) =>
    extensions.includes(extname(path).toLowerCase()),
  );
}

/**
 * Reads bibliographies as works and their authors.
 *
 * @throws {AppError} `invalid` if the site does not have the type.
 */
export async function* readBibliographies(
  record: ContentRecord,
  files: readonly string[],
  options: Options,
): AsyncGenerator<ParsedItem> {
  const ownNames = files.map(sourceNameOfFile);
  for (const [at, file] of files.entries()) {
    const ownName = ownNames[at] ?? "";
    const isUnique = ownNames.indexOf(ownName) === ownNames.lastIndexOf(ownName);
    // Files of the same name in several folders are different bibliographies, so their names get
    // the folder as a prefix.
    const name = isUnique ? ownName : `${sourceNameOfFile(dirname(file))}-${ownName}`;
    yield* itemsOfFile(record, { file, name }, options);
  }
}

async function* itemsOfFile(
  record: ContentRecord,
  { file, name }: { file: string; name: string },
  {
    now,
    type: typeName = "work",
    origin,
    titles,
    names,
    publishesAll,
    onNote,
    yieldBetween,
  }: Options,
): AsyncGenerator<ParsedItem> {
  const types = await record.types();
  const type = types.get(typeName);
  if (type === undefined) {
    throw new AppError("invalid", {
      en: `There is no type "${typeName}" on the site; name another with --type`,
      de: `Die Art „${typeName}“ gibt es auf der Website nicht`,
    });
  }
  const format = formatOf(file);
  const entries: BibliographyEntryOrError[] = [];
  const source = await readText(file).catch(faultOf);
  if (typeof source !== "string") {
    yield createUnreadableItem(file, 1, source.fault);
    return;
  }
  for (const entry of format?.read(source) ?? []) {
    await yieldBetween?.();
    if (entry === null) continue;
    if (entries.length === ENTRIES_MAX) {
      yield createUnreadableItem(file, entry.line, TOO_MANY);
      return;
    }
    entries.push(entry);
  }
  const { find } = await names.of([typeName, "author", "topic"]);
  const parseOptions = { types, now, timeZone: await readSiteTimeZone(record), file, find };
  const workAt = createExistingWorkFinder(record, titles, { type, name });
  const read = () =>
    convertEntriesToItems(entries, { ...parseOptions, name, type, origin, workAt });
  const { authors, refused } = await surveyEntries(read(), { type, types, yieldBetween });
  const namedItems = new Map([["author", authors]]);
  const newAuthors: ParsedItem[] = [];
  for (const item of createItemsForNames(namedItems, parseOptions)) {
    newAuthors.push(item);
    await yieldBetween?.();
  }
  const counts = { entries: entries.length, refused, authors: newAuthors.length };
  onNote(summary(`${file}: ${format?.name}`, type, counts));
  yield* newAuthors;
  if (publishesAll) yield* findNameDraftsToPublish(record, namedItems, file, types);
  for await (const { item } of read()) yield item;
}

function summary(
  read: string,
  { name }: ContentType,
  { entries, refused, authors }: Record<"entries" | "refused" | "authors", number>,
): Wording {
  const left = refused === 0 ? "" : `, ${refused} of them refused`;
  const leftGerman = refused === 0 ? "" : `, davon abgelehnt: ${refused}`;
  return {
    en: `${read}, ${entries} ${entries === 1 ? "entry" : "entries"} as ${name}${left}; new authors: ${authors}`,
    de: `${read}, Einträge: ${entries}${leftGerman}; neue Autorinnen und Autoren: ${authors}`,
  };
}

/**
 * Returns why a bibliography cannot be read, so that the other bibliographies are still imported.
 * Rethrows errors that are not about the file.
 */
function faultOf(error: unknown): { fault: Wording } {
  if (error instanceof AppError && error.code === "invalid") return { fault: error.wording };
  throw error;
}

async function readText(file: string): Promise<string> {
  if (statSync(file).size > FILE_BYTES_MAX) {
    const limit = FILE_BYTES_MAX / 1024 / 1024;
    throw new AppError("invalid", {
      en: `Cannot import ${basename(file)}: it is longer than ${limit} MiB; split it`,
      de: `${basename(file)} ist länger als ${limit} MB: Teilen Sie die Datei auf`,
    });
  }
  const bytes = readFileSync(file);
  const encoding = await detectTextEncoding(pieces(bytes));
  const parts: string[] = [];
  for await (const part of decodeTextStream(pieces(bytes), encoding)) parts.push(part);
  return parts.join("");
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
