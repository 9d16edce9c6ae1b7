import { pageUrl } from "../../content/addresses/addresses.ts";
import { titleIfUsableAsAddress } from "../../content/addresses/find-item.ts";
import { type CitationFormat, citationOf } from "../../content/citations/citing.ts";
import {
  type ItemSummary,
  type LinkedItem,
  mayBeTruncated,
  type ReadingCopy,
  SUMMARY_TEXT_CHARACTERS_MAX,
} from "../../content/library.ts";
import { isQuotationType } from "../../content/pages/lines.ts";
import {
  type ContentType,
  type Field,
  type FieldValue,
  warningFieldValues,
} from "../../content/types/content-type.ts";
import { baseLanguage } from "../../search/language/languages.ts";
import type { CallContext } from "../mcp-features.ts";

/** Maximum number of links per relation in a row. Reading the item returns all links. */
const LINKS_MAX = 12;
/** Fields longer than this are omitted from rows. Reading the item returns them. */
const FIELD_CHARACTERS_MAX = 300;

/**
 * An item in a list: its URL, then warnings, title, text or summary, short fields, linked items grouped by
 * relation, and the numbers of items that link to this item. Empty values and defaults are omitted.
 */
export interface ResultRow {
  [name: string]: unknown;
  url: string;
}

/**
 * A linked item in a row. A plain name suffices if the name identifies the item and the link has the most
 * common note of its relation. Otherwise a URL, a note or both are added.
 */
type LinkName = string | { name: string; url?: string; note?: string };

export interface ResultRowOptions {
  /** Whether rows include the type of the item, as needed in lists of several types. */
  withType?: boolean;
  withUpdated?: boolean;
  /** Adds a citation in this format. */
  cite?: CitationFormat;
  /**
   * Returns the text properties of a row. Default: the text of a quotation, the summary of any
   * other item.
   */
  text?: (item: ItemSummary) => Readonly<Record<string, unknown>>;
}

export interface ResultRows {
  rows: ResultRow[];
  /**
   * The most common link note of each relation. It applies to every link for which a row gives no note of
   * its own.
   */
  linkNotesProperty: { link_notes?: Record<string, string> };
}

/**
 * Converts items to rows. The most common note of each relation is given only once, in
 * `linkNotesProperty`.
 */
export function toResultRows(
  items: readonly ItemSummary[],
  context: CallContext,
  options: ResultRowOptions = {},
): ResultRows {
  const commonNotes = commonLinkNotes(items);
  const { language } = context.reading.site();
  const list = { commonNotes, language: baseLanguage(language), nameOf: nameLookup(context) };
  const rows = items.map((item) => rowOf(item, list, { context, options }));
  return {
    rows,
    linkNotesProperty: Object.keys(commonNotes).length === 0 ? {} : { link_notes: commonNotes },
  };
}

/** Data that the rows of a list share, looked up once. */
interface SharedData {
  commonNotes: Readonly<Record<string, string>>;
  /** The site's language, without region. */
  language: string;
  nameOf: (title: string) => string | null;
}

const NAMES_MAX = 20_000;
const namesByReading = new WeakMap<
  ReadingCopy,
  { version: number; names: Map<string, string | null> }
>();

/**
 * Returns the function `nameOf`. It maps the title of an item to the name by which tools accept the item,
 * or to null if tools need the address. Caches names until something is published, because each query to
 * the reading copy would first check for changes.
 */
function nameLookup({ reading }: CallContext): SharedData["nameOf"] {
  const version = reading.version();
  let memory = namesByReading.get(reading);
  if (memory?.version !== version || memory.names.size >= NAMES_MAX) {
    memory = { version, names: new Map() };
    namesByReading.set(reading, memory);
  }
  const { names } = memory;
  return (title) => {
    const remembered = names.get(title);
    if (remembered !== undefined) return remembered;
    const name = titleIfUsableAsAddress(reading, title);
    names.set(title, name);
    return name;
  };
}

/**
 * The row's built-in properties come first and take precedence over a relation or field of the same
 * name.
 */
function rowOf(
  item: ItemSummary,
  list: SharedData,
  { context, options }: { context: CallContext; options: ResultRowOptions },
): ResultRow {
  const type = context.types.get(item.type);
  const row: ResultRow = { url: pageUrl(context.origin, item.path) };
  if (options.withType === true) row["type"] = item.type;
  for (const [name, caution] of warningFieldValues(type, item.fields)) row[name] = caution;
  const text = options.text?.(item) ?? defaultText(item, context);
  if (!isStartOf(item.title, text["text"] ?? text["snippet"])) row["title"] = item.title;
  Object.assign(row, text);
  if (baseLanguage(item.language) !== list.language) row["language"] = item.language;
  if (options.withUpdated === true) row["updated_at"] = item.updatedAt;
  addLinks(row, item, { list, context });
  addShortFields(row, item, type);
  addCounts(row, item, type);
  if (options.cite !== undefined) row["citation"] = citationOf(item, options.cite, context);
  return row;
}

function add(row: ResultRow, name: string, value: unknown): void {
  if (!Object.hasOwn(row, name)) row[name] = value;
}

/** The text of a quotation, or else the summary. */
function defaultText(item: ItemSummary, { types }: CallContext): Record<string, unknown> {
  if (isQuotationType(types, item.type)) return itemTextProperties(item);
  return item.summary === "" ? {} : { summary: item.summary };
}

/** The text of an item, flagged if truncated, so that it is not quoted as complete. */
export function itemTextProperties(item: ItemSummary): Record<string, unknown> {
  const { text } = item;
  if (!mayBeTruncated(item)) return text === "" ? {} : { text };
  const notice = `text: its first ${SUMMARY_TEXT_CHARACTERS_MAX} characters; get_content_by_url reads all`;
  return { text, text_is_cut: notice };
}

/** Whether the title is the beginning of the text, with or without an ellipsis. */
function isStartOf(title: string, text: unknown): boolean {
  if (typeof text !== "string") return false;
  const start = title.replace(/(?:…|\.\.\.)$/u, "").trimEnd();
  return text
    .slice(0, 2 * start.length)
    .replaceAll(/\s+/g, " ")
    .startsWith(start);
}

function addShortFields(
  row: ResultRow,
  { fields }: ItemSummary,
  type: ContentType | undefined,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = type?.fields[name];
    const isSortName = name === type?.defaultSort && field?.kind === "text";
    if (field !== undefined && !isSortName && isShort(field, value)) add(row, name, value);
  }
}

/** Whether rows include the field. Rows omit Markdown, URLs, lists of texts and long values. */
function isShort({ kind }: Field, value: FieldValue): boolean {
  if (kind === "markdown" || kind === "url" || kind === "text_list") return false;
  return typeof value !== "string" || (value !== "" && value.length <= FIELD_CHARACTERS_MAX);
}

/** Adds the number of items that link to this item, for each relation. */
function addCounts(row: ResultRow, { counts }: ItemSummary, type: ContentType | undefined): void {
  const ownRelations = type?.relations ?? {};
  let incoming: Record<string, number> | null = null;
  for (const [name, count] of Object.entries(counts)) {
    if (count === 0 || name in ownRelations) continue;
    incoming ??= {};
    incoming[name] = count;
  }
  if (incoming !== null) add(row, "counts", incoming);
}

/** Adds the item's links, grouped by relation: names, or a single name if the type allows only one. */
function addLinks(
  row: ResultRow,
  item: ItemSummary,
  { list: { commonNotes, nameOf }, context }: { list: SharedData; context: CallContext },
): void {
  const relations = context.types.get(item.type)?.relations ?? {};
  const naming = { nameOf, origin: context.origin };
  let ownNotes: Record<string, string> | null = null;
  for (const [name, links] of Object.entries(item.links)) {
    if (links.length === 0) continue;
    const commonNote = commonNotes[name] ?? null;
    const note = noteSharedByLinks(links, commonNote);
    if (note !== commonNote) {
      ownNotes ??= {};
      ownNotes[name] = note ?? "";
    }
    const shownLinks = links.length > LINKS_MAX ? links.slice(0, LINKS_MAX) : links;
    const names = shownLinks.map((link) => linkName(link, note, naming));
    add(row, name, relations[name]?.many === false ? names[0] : names);
    if (links.length > LINKS_MAX) add(row, `${name}_cut`, cutLinks(name, links.length));
  }
  if (ownNotes !== null) add(row, "link_notes", ownNotes);
}

function cutLinks(relation: string, total: number): string {
  return `${LINKS_MAX} of ${total}; get_related_content with relation ${relation} lists all`;
}

/** Returns the note of the links if all links have the same note, otherwise `commonNote`. */
function noteSharedByLinks(links: readonly LinkedItem[], commonNote: string | null): string | null {
  const [first] = links;
  const isShared = first !== undefined && links.every(({ note }) => note === first.note);
  return isShared ? first.note : commonNote;
}

function linkName(
  { path, title, note }: LinkedItem,
  commonNote: string | null,
  { nameOf, origin }: Pick<SharedData, "nameOf"> & { origin: string },
): LinkName {
  const name = nameOf(title);
  if (name !== null && note === commonNote) return name;
  return {
    name: title,
    ...(name === null ? { url: pageUrl(origin, path) } : {}),
    ...(note === commonNote ? {} : { note: note ?? "" }),
  };
}

/** The most common note of each relation. Omits relations whose links mostly have no note. */
function commonLinkNotes(items: readonly ItemSummary[]): Record<string, string> {
  const countsByRelation = new Map<string, Map<string | null, number>>();
  for (const { links } of items) {
    for (const [relation, linked] of Object.entries(links)) {
      const noteCounts = countsByRelation.get(relation) ?? new Map<string | null, number>();
      countsByRelation.set(relation, noteCounts);
      for (const { note } of linked) noteCounts.set(note, (noteCounts.get(note) ?? 0) + 1);
    }
  }
  return Object.fromEntries(
    [...countsByRelation].flatMap(([relation, noteCounts]) => {
      const [most] = [...noteCounts].sort(([, a], [, b]) => b - a);
      return most === undefined || most[0] === null ? [] : [[relation, most[0]]];
    }),
  );
}
