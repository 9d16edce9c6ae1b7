import type { Item } from "../content/items/item.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import { defaultFileName } from "./item-files.ts";
import { formatItemFileText, type ItemWithPaths } from "./item-text.ts";
import type { SyncPass } from "./pass-parts.ts";
import { type SyncBaseRow, textHash } from "./sync-base.ts";

export interface SiteItem {
  id: string;
  path: string;
  revision: number;
  /** The item in full; null if it equals the base. */
  changed: ItemWithPaths | null;
}

/**
 * Reads all items that are not deleted. Only items that differ from the base are loaded in full.
 */
export async function readSiteItems(
  snapshot: Snapshot,
  rows: ReadonlyMap<string, SyncBaseRow>,
  types: ContentTypes,
): Promise<Map<string, SiteItem>> {
  const siteItems = new Map<string, SiteItem>();
  for await (const batch of snapshot.items("present")) {
    for (const shown of batch) {
      const { item } = shown;
      const { id, path, revision } = item;
      const row = rows.get(id);
      const text = formatItemFileText(shown, row?.file ?? defaultFileName(item), types);
      const isSame = row !== undefined && textHash(text) === row.hash;
      siteItems.set(id, { id, path, revision, changed: isSame ? null : shown });
    }
  }
  return siteItems;
}

/** Reads the paths of the items that an item refers to, and the addresses that redirect to it. */
export async function readItemWithPaths(
  { content, desk }: Pick<SyncPass, "content" | "desk">,
  item: Item,
): Promise<ItemWithPaths> {
  const targetIds = Object.values(item.relations).flatMap((links) => links.map(({ to }) => to));
  const ids = new Set([...targetIds, ...(item.translationOf === null ? [] : [item.translationOf])]);
  const paths = new Map<string, string>();
  for (const id of ids) {
    const other = await content.item(id);
    if (other !== null && other.status !== "deleted") paths.set(id, other.path);
  }
  const redirectFrom = (await desk.pathsTo(item.id)).map(({ path }) => path);
  return { item, paths, redirectFrom };
}
