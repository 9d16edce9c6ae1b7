import { createHash } from "node:crypto";
import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";
import { decodePathKeepingReserved } from "../../addresses/decoded-path.ts";
import { TITLE_CHARACTERS_MAX } from "../../items/item.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import { firstRelationToType } from "../../types/relation-to.ts";
import { hasValidTextsAndFields } from "../accepted-input.ts";
import { ambiguousNameMessage, type ItemsByName } from "../item-names.ts";
import { type ParseOptions, parseItem } from "../item-parsing.ts";
import { createUnreadableItem, type ParsedItem } from "../parsed-item.ts";
import type { ItemNamedInRows } from "../tables/named-items.ts";
import { resolveItemReference } from "../tables/named-items.ts";
import { duplicateLineMessage } from "../tables/table-items.ts";
import {
  type BibliographyEntry,
  type BibliographyEntryOrError,
  collapseWhitespace,
  formatNameInIndexOrder,
  formatNameInReadingOrder,
} from "./reference-entry.ts";
import { buildWorkValues } from "./work-values.ts";

export interface BibliographyOptions extends Pick<ParseOptions, "types" | "now" | "timeZone"> {
  file: string;
  /** Identifies the bibliography, so that a repeated import can recognise its entries. */
  name: string;
  type: ContentType;
  /** Origin of this site. An entry with an address at this origin cites a page of this site. */
  origin: string;
  /** Finds items by name, both on the site and in the import. */
  find: ItemsByName["find"];
  /**
   * Returns the path of a matching work that is on the site but did not come from this
   * bibliography; null: none.
   */
  workAt: (sought: WorkMatchCriteria) => Promise<string | null>;
}

/** The data by which an existing work is recognised. */
export interface WorkMatchCriteria {
  sourceKey: string;
  title: string;
  /** The path of the page that an entry cites on this site; null: it cites none. */
  path: string | null;
  /** Paths of the authors. */
  authors: readonly string[];
  values: Readonly<Record<string, unknown>>;
}

/**
 * The names of a type's relations to authors and to topics; null: the type has no such relation.
 */
export function findAuthorAndTopicRelations(type: ContentType): {
  authors: string | null;
  topics: string | null;
} {
  return {
    authors: firstRelationToType(type, "author"),
    topics: firstRelationToType(type, "topic"),
  };
}

export interface EntryWithItem {
  entry: BibliographyEntryOrError;
  item: ParsedItem;
}

interface SurveyOptions extends Pick<BibliographyOptions, "type" | "types"> {
  /** Called between entries to yield to the event loop. */
  yieldBetween?: (() => Promise<void>) | undefined;
}

/**
 * `authors`: the authors that accepted entries name, with their names in index order. `refused`:
 * the number of refused entries.
 */
export async function surveyEntries(
  entries: AsyncIterable<EntryWithItem>,
  { type, types, yieldBetween }: SurveyOptions,
): Promise<{ authors: ReadonlyMap<string, ItemNamedInRows>; refused: number }> {
  const authors = new Map<string, ItemNamedInRows>();
  const namesAuthors = findAuthorAndTopicRelations(type).authors !== null;
  let refused = 0;
  for await (const { entry, item } of entries) {
    await yieldBetween?.();
    if (item.skipped !== null) continue;
    const isUsable = item.input !== null && hasValidTextsAndFields(item.input, type);
    if (!isUsable) refused += 1;
    else if (namesAuthors && !("fault" in entry)) addAuthors(authors, entry, types);
  }
  return { authors, refused };
}

function addAuthors(
  names: Map<string, ItemNamedInRows>,
  { authors, line }: BibliographyEntry,
  types: ContentTypes,
): void {
  const hasSortName = types.get("author")?.fields["sort_name"] !== undefined;
  for (const author of authors) {
    const name = cutAtWord(formatNameInReadingOrder(author), TITLE_CHARACTERS_MAX);
    const sortName = formatNameInIndexOrder(author);
    const values = sortName === null || !hasSortName ? {} : { sort_name: sortName };
    if (!names.has(name)) names.set(name, { isPublic: null, line, column: "author", values });
  }
}

interface SeenEntry {
  line: number;
  digest: string;
}

/** Converts each entry to a work that is imported, skipped or refused. */
export async function* convertEntriesToItems(
  entries: Iterable<BibliographyEntryOrError>,
  options: BibliographyOptions,
): AsyncGenerator<EntryWithItem> {
  const seen = new Map<string, SeenEntry>();
  /** Paths of works that were already on the site, keyed by the source key of the matching entry. */
  const known = new Map<string, string>();
  for (const entry of entries) {
    const item =
      "fault" in entry
        ? createUnreadableItem(options.file, entry.line, entry.fault)
        : await readEntry(entry, seen, { ...options, known });
    yield { entry, item };
  }
}

async function readEntry(
  entry: BibliographyEntry,
  seen: Map<string, SeenEntry>,
  options: BibliographyOptions & { known: Map<string, string> },
): Promise<ParsedItem> {
  const { line, problems: _problems, ...content } = entry;
  const digest = shortHash(content);
  const sourceKey = sourceKeyOf(entry, options);
  const earlier = seen.get(sourceKey);
  if (earlier === undefined) {
    seen.set(sourceKey, { line, digest });
    return await itemOfEntry(entry, sourceKey, options);
  }
  if (earlier.digest === digest)
    return skippedEntry(entry, options, duplicateLineMessage(earlier.line));
  const key = entry.key ?? entry.title;
  return createUnreadableItem(options.file, line, {
    en: `the key "${key}" is also that of line ${earlier.line}, which is another entry; correct one of them`,
    de: `den Schlüssel „${key}“ hat auch Zeile ${earlier.line}, die ein anderer Eintrag ist; berichtigen Sie einen der beiden`,
  });
}

async function itemOfEntry(
  entry: BibliographyEntry,
  sourceKey: string,
  options: BibliographyOptions & { known: Map<string, string> },
): Promise<ParsedItem> {
  const { file, type, types, find, known } = options;
  const citedPath = citedPathOf(entry, options.origin);
  const { values, leftOut } = buildWorkValues(entry, type, { isOwnUrl: citedPath !== null });
  const relations = findAuthorAndTopicRelations(type);
  const ambiguous: Wording[] = [];
  const authors = entry.authors.flatMap((each) => {
    const name = cutAtWord(formatNameInReadingOrder(each), TITLE_CHARACTERS_MAX);
    const reference = resolveItemReference("author", name, { types, find });
    if ("path" in reference) return [reference.path];
    ambiguous.push(ambiguousNameMessage(name, reference.several));
    return [];
  });
  const title = cutAtWord(entry.title, TITLE_CHARACTERS_MAX);
  const existing = await options.workAt({ sourceKey, title, path: citedPath, authors, values });
  if (existing !== null) {
    known.set(sourceKey, existing);
    return skippedEntry(entry, options, {
      en: `is on the site already: ${existing}`,
      de: `ist schon auf der Website: ${existing}`,
    });
  }
  const topics = entry.keywords.flatMap((each) => {
    const found = find("topic", each);
    return found !== null && "path" in found ? [found.path] : [];
  });
  const unmatchedKeywords =
    relations.topics === null ? entry.keywords.length : entry.keywords.length - topics.length;
  const parent = containingWork(entry, options);
  const input = {
    ...{ ...values, type: type.name, title, sourceKey },
    ...(citedPath?.startsWith(`${type.listPath}/`) ? { path: citedPath } : {}),
    ...(relations.authors === null || authors.length === 0
      ? {}
      : { [relations.authors]: [...new Set(authors)] }),
    ...(relations.topics === null || topics.length === 0
      ? {}
      : { [relations.topics]: [...new Set(topics)] }),
    ...(parent === null ? {} : { part_of: [parent] }),
  };
  const read = parseItem(input, { ...options, unknown: "refuse" });
  const place = (field: string) => ({ line: entry.line, field });
  const isCut = title !== collapseWhitespace(entry.title);
  const titleCut = {
    en: `is longer than ${TITLE_CHARACTERS_MAX} characters; the rest is left out`,
    de: `ist länger als ${TITLE_CHARACTERS_MAX} Zeichen; der Rest wird weggelassen`,
  };
  return {
    file,
    input: read.input,
    problems: [
      ...(isCut ? [{ ...place("title"), message: titleCut, severity: "error" as const }] : []),
      ...ambiguous.map((message) => ({ ...place("author"), message, severity: "error" as const })),
      ...entry.problems.map((problem) => ({ ...problem, severity: "warning" as const })),
      ...read.problems.map(({ where, ...problem }) => ({ ...problem, ...place(where) })),
    ].map((problem) => ({
      ...problem,
      message: prefixMessageWithName(entry.key ?? title, problem.message),
    })),
    ...{ hasStatus: false, isNotPublic: false, skipped: null, placeOf: place },
    leftOut: [...leftOut, ...(unmatchedKeywords > 0 ? ["keywords without a topic"] : [])],
  };
}

/** Prefixes a message with the name of its subject. */
export function prefixMessageWithName(name: string, { en, de }: Wording): Wording {
  return { en: `"${name}": ${en}`, de: `„${name}“: ${de}` };
}

function containingWork(
  { partOf }: BibliographyEntry,
  { type, name, known }: BibliographyOptions & { known: Map<string, string> },
): string | null {
  if (partOf === null || type.relations["part_of"]?.target !== type.name) return null;
  const key = prefixedKey(name, partOf);
  return known.get(key) ?? key;
}

function skippedEntry(
  { line }: BibliographyEntry,
  { file }: BibliographyOptions,
  skipped: Wording,
): ParsedItem {
  return {
    ...createUnreadableItem(file, line, skipped),
    file: `${file}:${line}`,
    problems: [],
    skipped,
  };
}

/**
 * The path of the page on this site that an entry's address leads to; null: the address is not on this site.
 */
function citedPathOf({ details }: BibliographyEntry, origin: string): string | null {
  const url = details.url === undefined ? null : URL.parse(details.url);
  return url === null || url.origin !== origin ? null : decodePathKeepingReserved(url.pathname);
}

const SOURCE_KEY_CHARACTERS_MAX = 300;

/** The source key of an entry: from its citation key, or else its DOI, or else its content. */
function sourceKeyOf(entry: BibliographyEntry, { name }: BibliographyOptions): string {
  if (entry.key !== null) return prefixedKey(name, entry.key);
  const { title, authors, date, kind, details } = entry;
  const doi = details.doi?.toLowerCase();
  return prefixedKey(
    name,
    doi ?? shortHash([title, authors, date?.year, kind, details.container, details.pages]),
  );
}

function prefixedKey(name: string, key: string): string {
  const full = `bibliography:${name}/${key}`;
  return full.length <= SOURCE_KEY_CHARACTERS_MAX ? full : `bibliography:${name}/${shortHash(key)}`;
}

function shortHash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
}
