import { z } from "zod";
import { pageUrl } from "../content/addresses/addresses.ts";
import { type ItemSummary, isPerhapsCut, type LinkedItem } from "../content/library.ts";
import { LIST_LIMIT_MAX } from "../content/lists/listing.ts";
import type { FieldValue } from "../content/types/content-type.ts";
import type { CallContext } from "./offering.ts";

/** A list shows so many links of one relation; the item itself shows all. */
export const LINKS_MAX = 20;

export const limitInput = z.int().min(1).max(LIST_LIMIT_MAX).exactOptional();
export const cursorInput = z.string().exactOptional();

/** Absent on the last page. */
export const cursorOutput = z.string().exactOptional();
/** Rows say more; the schema leaves it out because agents read schemas in every conversation. */
export const rowOutput = z.looseObject({ url: z.string() });

/** The member that continues a list, where there is more of it. */
export function nextPage(cursor: string | null): { next_cursor?: string } {
  return cursor === null ? {} : { next_cursor: cursor };
}

/** What every row of a list says; further members are the item's relations, by their names. */
export interface Row {
  [name: string]: unknown;
  url: string;
  title: string;
}

/** An item as lists show it: what it states of itself, where it leads, how much belongs to it. */
export function itemRow(item: ItemSummary, context: CallContext): Row {
  const { type, title, summary, language, updatedAt } = item;
  const row = {
    url: pageUrl(context.origin, item.path),
    type,
    title,
    ...(summary === "" ? {} : { summary }),
    ...presentMember("fields", shortFields(item, context)),
    ...presentMember("counts", belongings(item, context)),
    language,
    updated_at: updatedAt,
  };
  return withLinks(row, linkRows(item, LINKS_MAX, context));
}

/** Members of ours win over a site's relation of the same name, and come first. */
export function withLinks<R extends Row>(row: R, links: Readonly<Record<string, unknown>>): R {
  return { ...row, ...links, ...row };
}

/** How many items state a relation to this one, by the name of the group. */
export function belongings(
  { type, counts }: ItemSummary,
  { types }: CallContext,
): Record<string, number> {
  const own = types.get(type)?.relations ?? {};
  return Object.fromEntries(Object.entries(counts).filter(([name]) => !(name in own)));
}

function presentMember(name: string, value: object): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}

/** The text of an item, with a warning where a quotation of it would break off. */
export function textMembers(item: ItemSummary): { text: string; text_is_cut?: true } {
  const { text } = item;
  return isPerhapsCut(item) ? { text, text_is_cut: true } : { text };
}

/** The item's own links by relation: a list, or a single link where its type allows one only. */
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

/** Fields of running text are for reading the item, not for its row in a list. */
export function shortFields(
  { type, fields }: ItemSummary,
  { types }: CallContext,
): Record<string, FieldValue> {
  const declared = types.get(type)?.fields ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => declared[name]?.kind !== "markdown"),
  );
}
