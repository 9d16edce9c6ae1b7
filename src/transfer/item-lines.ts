import { formatFormerAddress } from "../content/addresses/address-escaping.ts";
import type { SnapshotItem } from "./snapshot.ts";

const REDIRECTS_PER_LINE_MAX = 100;

/**
 * Writes an item as JSON lines for an import. Related items are given by path; empty values are omitted. An
 * item with many former addresses gets several lines, each with the whole item and some of the addresses.
 * For a deleted item, writes only what the 410 page shows.
 *
 * @param statesLastChange whether to write `updatedAt`; false for a type with a field of the same key.
 */
export function jsonLinesOfItem(
  snapshotItem: SnapshotItem,
  { statesLastChange }: { statesLastChange: boolean },
): string[] {
  const { item } = snapshotItem;
  const redirectFrom = snapshotItem.redirectFrom.map(formatFormerAddress);
  const lineWith = item.status === "deleted" ? deletedLine : itemLine;
  const lastChange = statesLastChange ? { updatedAt: item.updatedAt } : {};
  const lines: string[] = [];
  for (let at = 0; at === 0 || at < redirectFrom.length; at += REDIRECTS_PER_LINE_MAX) {
    const redirects = redirectFrom.slice(at, at + REDIRECTS_PER_LINE_MAX);
    lines.push(JSON.stringify({ ...lineWith(snapshotItem, redirects), ...lastChange }));
  }
  return lines;
}

function deletedLine({ item }: SnapshotItem, redirectFrom: readonly string[]): object {
  const { type, path, title, language, status } = item;
  return {
    ...{ type, path, title, language, status },
    ...(redirectFrom.length === 0 ? {} : { redirectFrom }),
  };
}

function itemLine({ item, paths }: SnapshotItem, redirectFrom: readonly string[]): object {
  const relations = Object.fromEntries(
    Object.entries(item.relations).map(([name, links]) => [
      name,
      links.flatMap(({ to, note }) => {
        const path = paths.get(to);
        return path === undefined ? [] : [note === null ? path : { to: path, note }];
      }),
    ]),
  );
  const original = item.translationOf === null ? undefined : paths.get(item.translationOf);
  return {
    type: item.type,
    path: item.path,
    ...(item.sourceKey === null ? {} : { sourceKey: item.sourceKey }),
    title: item.title,
    ...(item.summary === "" ? {} : { summary: item.summary }),
    language: item.language,
    ...(original === undefined ? {} : { translationOf: original }),
    status: item.status,
    ...(item.publishAt === null ? {} : { publishAt: item.publishAt }),
    ...(item.publishedAt === null ? {} : { publishedAt: item.publishedAt }),
    ...(item.expireAt === null ? {} : { expireAt: item.expireAt }),
    ...(item.reviewAt === null ? {} : { reviewAt: item.reviewAt }),
    ...(redirectFrom.length === 0 ? {} : { redirectFrom }),
    ...(isEmpty(item.fields) ? {} : { fields: item.fields }),
    ...(isEmpty(relations) ? {} : { relations }),
    ...(item.body === "" ? {} : { body: item.body }),
  };
}

function isEmpty(group: object): boolean {
  return Object.keys(group).length === 0;
}
