import { stringify } from "yaml";
import { formatFormerAddress } from "../content/addresses/address-escaping.ts";
import { deriveDefaultSitePath } from "../content/import/file-path.ts";
import { type Item, itemInputSchema, REDIRECTS_PER_ITEM_MAX } from "../content/items/item.ts";
import { trimBody } from "../content/items/trimmed-body.ts";
import type { ContentType, ContentTypes } from "../content/types/content-type.ts";
import type { SnapshotItem } from "../transfer/snapshot.ts";
import { normalizeFormerAddresses } from "./former-addresses.ts";

/** An item with the paths of the items it refers to, and the addresses that redirect to it. */
export type ItemWithPaths = SnapshotItem;

const ITEM_KEYS: ReadonlySet<string> = new Set(Object.keys(itemInputSchema.shape));

/**
 * Writes an item as a Markdown file. The result is deterministic, and a change of one line in the item
 * changes one line of the file. The path is omitted if the location of the file determines it.
 */
export function formatItemFileText(
  shown: ItemWithPaths,
  file: string,
  types: ContentTypes,
): string {
  return formatMarkdownWithFrontMatter(buildItemFrontMatter(shown, file, types), shown.item.body);
}

/** Formats front matter and a body as Markdown. */
export function formatMarkdownWithFrontMatter(
  values: Readonly<Record<string, unknown>>,
  text: string,
): string {
  const front = stringify(values, { lineWidth: 0, blockQuote: "literal" });
  const body = trimBody(text);
  return `---\n${front}---\n${body === "" ? "" : `\n${body}\n`}`;
}

/** The front matter of an item in a file. */
export function buildItemFrontMatter(
  { item, paths, redirectFrom }: ItemWithPaths,
  file: string,
  types: ContentTypes,
): Record<string, unknown> {
  const type = types.get(item.type);
  const original = item.translationOf === null ? undefined : paths.get(item.translationOf);
  const properties = withoutEmpty({
    type: item.type,
    path: deriveDefaultSitePath(file, type?.listPath ?? null) === item.path ? null : item.path,
    title: item.title,
    summary: item.summary,
    language: item.language,
    translationOf: original,
    status: item.status,
    publishAt: item.publishAt,
    publishedAt: item.publishedAt,
    expireAt: item.expireAt,
    reviewAt: item.reviewAt,
    sourceKey: item.sourceKey,
    redirectFrom: writtenAddresses(redirectFrom),
  });
  return {
    ...properties,
    ...(type === undefined ? {} : declaredValues(item, paths, type)),
  };
}

/**
 * Returns the addresses that redirect to an item but do not fit in its file. A file lists at most
 * {@link REDIRECTS_PER_ITEM_MAX} addresses.
 */
export function selectUnlistedFormerAddresses(redirectFrom: readonly string[]): string[] {
  if (redirectFrom.length <= REDIRECTS_PER_ITEM_MAX) return [];
  const listed = new Set(writtenAddresses(redirectFrom));
  return redirectFrom.filter((address) => !listed.has(formatFormerAddress(address)));
}

/**
 * Returns the addresses that redirect to an item, as its file lists them. The file lists at most
 * {@link REDIRECTS_PER_ITEM_MAX} addresses.
 */
function writtenAddresses(redirectFrom: readonly string[]): string[] {
  return normalizeFormerAddresses(redirectFrom.map(formatFormerAddress)).slice(
    0,
    REDIRECTS_PER_ITEM_MAX,
  );
}

/**
 * The fields and relations in the order in which the type declares them. Each is a top-level key,
 * unless its name collides with another key.
 */
function declaredValues(
  item: Item,
  paths: ItemWithPaths["paths"],
  type: ContentType,
): Record<string, unknown> {
  const fields = Object.keys(type.fields).map((name) => [name, item.fields[name]] as const);
  const relations = Object.keys(type.relations).map(
    (name) => [name, linksWithPaths(item, name, paths)] as const,
  );
  const isTopField = (name: string) => !ITEM_KEYS.has(name);
  const isTopRelation = (name: string) => isTopField(name) && !Object.hasOwn(type.fields, name);
  return withoutEmpty({
    ...Object.fromEntries(fields.filter(([name]) => isTopField(name))),
    ...Object.fromEntries(relations.filter(([name]) => isTopRelation(name))),
    fields: withoutEmpty(Object.fromEntries(fields.filter(([name]) => !isTopField(name)))),
    relations: withoutEmpty(Object.fromEntries(relations.filter(([name]) => !isTopRelation(name)))),
  });
}

function linksWithPaths(item: Item, name: string, paths: ItemWithPaths["paths"]): unknown[] {
  return (item.relations[name] ?? []).flatMap(({ to, note }) => {
    const path = paths.get(to);
    return path === undefined ? [] : [note === null ? path : { to: path, note }];
  });
}

function withoutEmpty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
