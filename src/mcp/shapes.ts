import { z } from "zod";
import { pageUrl } from "../content/addresses/addresses.ts";
import { type ItemSummary, type LinkedItem, mayBeTruncated } from "../content/library.ts";
import { LIST_LIMIT_MAX } from "../content/lists/listing.ts";
import type { FieldValue } from "../content/types/content-type.ts";
import type { CallContext } from "./offering.ts";

/** Links shown per relation in a list; the item itself shows all. */
export const LINKS_MAX = 20;

export const limitInput = z.int().min(1).max(LIST_LIMIT_MAX).exactOptional();
export const cursorInput = z.string().exactOptional();

/** Absent on the last page. */
export const cursorOutput = z.string().exactOptional();
/** Rows have more members; the schema omits them because it is sent to agents in every conversation. */
export const rowOutput = z.looseObject({ url: z.string() });

/** The cursor of the next page, if there is one. */
export function nextPage(cursor: string | null): { next_cursor?: string } {
  return cursor === null ? {} : { next_cursor: cursor };
}

/** Members of every list row; further ones are the item's relations, by name. */
export interface Row {
  [name: string]: unknown;
  url: string;
  title: string;
}

/** An item as a list row: its own fields, its links, and counts of items that point at it. */
export function itemRow(item: ItemSummary, context: CallContext): Row {
  const { type, title, summary, language, updatedAt } = item;
  const row = {
    url: pageUrl(context.origin, item.path),
    type,
    title,
    ...(summary === "" ? {} : { summary }),
    ...presentMember("fields", shortFields(item, context)),
    ...presentMember("counts", incomingCounts(item, context)),
    language,
    updated_at: updatedAt,
  };
  return withLinks(row, linkRows(item, LINKS_MAX, context));
}

/** Our members come first and win over a relation of the same name. */
export function withLinks<R extends Row>(row: R, links: Readonly<Record<string, unknown>>): R {
  return { ...row, ...links, ...row };
}

/** The number of items that point at this one, by the name of the group. */
export function incomingCounts(
  { type, counts }: ItemSummary,
  { types }: CallContext,
): Record<string, number> {
  const own = types.get(type)?.relations ?? {};
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !(name in own)));
}

function presentMember(name: string, value: object): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}

/** The text of an item, flagged if it is cut, so that nobody quotes it as complete. */
export function textMembers(item: ItemSummary): { text: string; text_is_cut?: true } {
  const { text } = item;
  return mayBeTruncated(item) ? { text, text_is_cut: true } : { text };
}

/** The item's links by relation: a list, or a single link if the type allows only one. */
export function linkRows(
  { type, links }: ItemSummary,
  linksMax: number,
  context: CallContext,
): Record<string, unknown> {
  const relations = context.types.get(type)?.relations ?? {};
  const rows: Record<string, unknown> = {};
  for (const [name, linked] of Object.entries(links)) {
    const [first] = linked;
    if (first === undefined) continue;
    const isMany = relations[name]?.many ?? true;
    rows[name] = isMany
      ? linked.slice(0, linksMax).map((link) => linkRow(link, context))
      : linkRow(first, context);
  }
  return rows;
}

function linkRow({ path, title, note }: LinkedItem, { origin }: CallContext): Row {
  const row = { title, url: pageUrl(origin, path) };
  return note === null ? row : { ...row, note };
}

/** Leaves out fields of running text, which are for reading the item itself. */
export function shortFields(
  { type, fields }: ItemSummary,
  { types }: CallContext,
): Record<string, FieldValue> {
  const declared = types.get(type)?.fields ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => declared[name]?.kind !== "markdown"),
  );
}
