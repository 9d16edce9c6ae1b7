import { pageUrl } from "../../content/addresses/addresses.ts";
import { usableName } from "../../content/addresses/find-item.ts";
import { type CitationForm, citationOf } from "../../content/citations/citing.ts";
import {
  type ItemSummary,
  type LinkedItem,
  mayBeTruncated,
  SUMMARY_TEXT_CHARACTERS_MAX,
} from "../../content/library.ts";
import { isQuotation } from "../../content/pages/lines.ts";
import {
  type ContentType,
  cautionsOf,
  type Field,
  type FieldValue,
} from "../../content/types/content-type.ts";
import { baseLanguage } from "../../search/language/languages.ts";
import type { CallContext } from "../offering.ts";

/** Links of one relation that a row names; the item itself names all. */
export const LINKS_MAX = 12;
/** Longer fields are for reading the item itself. */
const FIELD_CHARACTERS_MAX = 300;

/**
 * An item in a list: its URL, then what is neither empty nor usual: cautions, title, text or summary,
 * short fields, linked items by relation, and counts of items that link to it.
 */
export interface Row {
  [name: string]: unknown;
  url: string;
}

/** The name of a linked item, with its URL if another item has that name too. */
type LinkName = string | { name: string; url?: string; note?: string };

export interface RowOptions {
  /** For lists of several types. */
  withType?: boolean;
  withUpdated?: boolean;
  /** Adds a citation in this form. */
  cite?: CitationForm;
  /** The text of the row, if not the usual: the text of quotations, the summary of others. */
  text?: (item: ItemSummary) => Readonly<Record<string, unknown>>;
}

export interface Rows {
  rows: Row[];
  /** By relation: the note of all links that show none of their own. */
  notes: { link_notes?: Record<string, string> };
}

/** The items as rows; the most common note of a relation is given once. */
export function rowsOf(
  items: readonly ItemSummary[],
  context: CallContext,
  options: RowOptions = {},
): Rows {
  const notes = commonNotes(items);
  const rows = items.map((item) => rowOf(item, notes, { context, options }));
  return { rows, notes: Object.keys(notes).length === 0 ? {} : { link_notes: notes } };
}

function rowOf(
  item: ItemSummary,
  notes: Readonly<Record<string, string>>,
  { context, options }: { context: CallContext; options: RowOptions },
): Row {
  const type = context.types.get(item.type);
  const text = options.text?.(item) ?? usualText(item, context);
  const own = {
    url: pageUrl(context.origin, item.path),
    ...(options.withType === true ? { type: item.type } : {}),
    ...Object.fromEntries(cautionsOf(type, item.fields)),
    ...(isStartOf(item.title, text["text"] ?? text["snippet"]) ? {} : { title: item.title }),
    ...text,
    ...(isSiteLanguage(item.language, context) ? {} : { language: item.language }),
    ...(options.withUpdated === true ? { updated_at: item.updatedAt } : {}),
  };
  // Our members win over a relation or field of the same name.
  return {
    ...own,
    ...linkMembers(item, notes, context),
    ...shortFields(item, type),
    ...countMember(item, context),
    ...(options.cite === undefined ? {} : { citation: citationOf(item, options.cite, context) }),
    ...own,
  };
}

/** The text of a quotation, or else the summary. */
function usualText(item: ItemSummary, { types }: CallContext): Record<string, unknown> {
  if (isQuotation(types, item.type)) return textMembers(item);
  return item.summary === "" ? {} : { summary: item.summary };
}

/** The text of an item, flagged if it is cut, so that it is not quoted as complete. */
export function textMembers(item: ItemSummary): Record<string, unknown> {
  const { text } = item;
  if (!mayBeTruncated(item)) return text === "" ? {} : { text };
  const cut = `text: its first ${SUMMARY_TEXT_CHARACTERS_MAX} characters; get_content_by_url reads all`;
  return { text, text_is_cut: cut };
}

/** A title made from the beginning of the text, with or without an ellipsis. */
function isStartOf(title: string, text: unknown): boolean {
  return typeof text === "string" && text.startsWith(title.replace(/(?:…|\.\.\.)$/u, "").trimEnd());
}

function isSiteLanguage(language: string, { reading }: CallContext): boolean {
  return baseLanguage(language) === baseLanguage(reading.site().language);
}

function shortFields(
  { fields }: ItemSummary,
  type: ContentType | undefined,
): Record<string, FieldValue> {
  const declared = type?.fields ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const field = declared[name];
      return (
        field !== undefined &&
        isShort(field, value) &&
        !(name === type?.defaultSort && field.kind === "text")
      );
    }),
  );
}

/** Running text, addresses and lists of names are for reading the item itself; so are sort names. */
function isShort({ kind }: Field, value: FieldValue): boolean {
  if (kind === "markdown" || kind === "url" || kind === "text_list") return false;
  return typeof value !== "string" || (value !== "" && value.length <= FIELD_CHARACTERS_MAX);
}

/** The number of items that point at this one, by the name of the group. */
function countMember({ type, counts }: ItemSummary, { types }: CallContext): { counts?: object } {
  const own = types.get(type)?.relations ?? {};
  const incoming = Object.entries(counts).filter(([name, count]) => !(name in own) && count > 0);
  return incoming.length === 0 ? {} : { counts: Object.fromEntries(incoming) };
}

/** The item's links by relation: names, or a single name if the type allows only one. */
function linkMembers(
  item: ItemSummary,
  notes: Readonly<Record<string, string>>,
  context: CallContext,
): Record<string, unknown> {
  const relations = context.types.get(item.type)?.relations ?? {};
  const members: Record<string, unknown> = {};
  const ownNotes: Record<string, string> = {};
  for (const [name, links] of Object.entries(item.links)) {
    const usualNote = notes[name] ?? null;
    const note = sharedNote(links, usualNote);
    if (note !== usualNote) ownNotes[name] = note ?? "";
    const [first, ...more] = links.slice(0, LINKS_MAX).map((link) => linkName(link, note, context));
    if (first === undefined) continue;
    members[name] = relations[name]?.many === false ? first : [first, ...more];
    if (links.length > LINKS_MAX) {
      members[`${name}_cut`] =
        `${LINKS_MAX} of ${links.length}; get_related_content with relation ${name} lists all`;
    }
  }
  return Object.keys(ownNotes).length === 0 ? members : { ...members, link_notes: ownNotes };
}

/** The note of all links, or else the usual one. */
function sharedNote(links: readonly LinkedItem[], usualNote: string | null): string | null {
  const [first] = links;
  const isShared = first !== undefined && links.every(({ note }) => note === first.note);
  return isShared ? first.note : usualNote;
}

function linkName(
  { path, title, note }: LinkedItem,
  usualNote: string | null,
  { reading, origin }: CallContext,
): LinkName {
  const name = usableName(reading, title);
  if (name !== null && note === usualNote) return name;
  return {
    name: title,
    ...(name === null ? { url: pageUrl(origin, path) } : {}),
    ...(note === usualNote ? {} : { note: note ?? "" }),
  };
}

/** The most common note of each relation, unless most links have none. */
function commonNotes(items: readonly ItemSummary[]): Record<string, string> {
  const counted = new Map<string, Map<string | null, number>>();
  for (const { links } of items) {
    for (const [relation, linked] of Object.entries(links)) {
      const ofRelation = counted.get(relation) ?? new Map<string | null, number>();
      counted.set(relation, ofRelation);
      for (const { note } of linked) ofRelation.set(note, (ofRelation.get(note) ?? 0) + 1);
    }
  }
  return Object.fromEntries(
    [...counted].flatMap(([relation, ofRelation]) => {
      const [most] = [...ofRelation].sort(([, a], [, b]) => b - a);
      return most === undefined || most[0] === null ? [] : [[relation, most[0]]];
    }),
  );
}
