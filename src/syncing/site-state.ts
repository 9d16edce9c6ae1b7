import type { Item } from "../content/items/item.ts";
import type { ContentReader } from "../content/record.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import { fileOfItem } from "./item-files.ts";
import { itemText, type ShownItem } from "./item-text.ts";
import { type BaseRow, textHash } from "./sync-base.ts";

/** An item on the site. */
export interface SiteItem {
  id: string;
  path: string;
  revision: number;
  /** Null if it equals the base. */
  changed: ShownItem | null;
}

const BLOCK_ITEMS = 200;

/** All items that are not deleted, by id; in full only if they differ from the base. */
export async function readSite(
  snapshot: Snapshot,
  rows: ReadonlyMap<string, BaseRow>,
  types: ContentTypes,
): Promise<Map<string, SiteItem>> {
  const site = new Map<string, SiteItem>();
  for (const kind of ["originals", "translations"] as const) {
    let after = "";
    for (;;) {
      const found = await snapshot.items(kind, { after, limit: BLOCK_ITEMS });
      for (const { item, paths } of found) {
        const { id, path, revision } = item;
        const row = rows.get(id);
        const text = itemText({ item, paths }, row?.file ?? fileOfItem(item), types);
        const isSame = row !== undefined && textHash(text) === row.hash;
        site.set(id, { id, path, revision, changed: isSame ? null : { item, paths } });
      }
      const last = found.at(-1);
      if (last === undefined) break;
      after = last.item.id;
    }
  }
  return site;
}

/** A snapshot's item with the paths it needs. */
export async function shownItem(content: ContentReader, item: Item): Promise<ShownItem> {
  const named = Object.values(item.relations).flatMap((links) => links.map(({ to }) => to));
  const ids = new Set([...named, ...(item.translationOf === null ? [] : [item.translationOf])]);
  const paths = new Map<string, string>();
  for (const id of ids) {
    const other = await content.item(id);
    if (other !== null && other.status !== "deleted") paths.set(id, other.path);
  }
  return { item, paths };
}
