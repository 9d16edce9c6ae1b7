import { fileNameAfterMove } from "./item-files.ts";
import type { ItemWithPaths } from "./item-text.ts";
import { mergeItem } from "./merge-item.ts";
import type { SyncPass } from "./pass-parts.ts";
import { readItemWithPaths, type SiteItem } from "./site-state.ts";
import type { SyncBaseRow, SyncBaseTexts } from "./sync-base.ts";
import { writeItem } from "./write-item.ts";

/** An item that exists both in the folder and on the site. */
export interface PairedItem {
  /** The base of the item; null if folder and site were never in sync. */
  row: SyncBaseRow | null;
  file: string;
  text: string;
  siteItem: SiteItem;
}

const NEVER_SYNCED: SyncBaseTexts = { text: "", conflict: null };

/** Syncs one item between folder and site. */
export async function syncItem(pass: SyncPass, pair: PairedItem): Promise<void> {
  const { row, file, text, siteItem } = pair;
  const baseTexts = row === null ? NEVER_SYNCED : pass.base.texts(row.id);
  const isUntouched = row?.file === file && baseTexts.text === text && baseTexts.conflict === null;
  if (isUntouched && siteItem.changed === null) {
    pass.report.same += 1;
    return;
  }
  const shown = await itemIfUnchanged(pass, siteItem);
  if (shown === null) return;
  if (isUntouched) await pullFromSite(pass, pair, shown);
  else await mergeItem(pass, { row, file, text, shown, baseTexts });
}

/** Returns null if the item has changed since the pass began. The next pass then handles the item. */
async function itemIfUnchanged(
  pass: SyncPass,
  { id, revision, changed }: SiteItem,
): Promise<ItemWithPaths | null> {
  if (changed !== null) return changed;
  const item = await pass.content.item(id);
  return item?.revision === revision ? await readItemWithPaths(pass, item) : null;
}

async function pullFromSite(
  pass: SyncPass,
  { row, file, text }: PairedItem,
  shown: ItemWithPaths,
): Promise<void> {
  const { path } = shown.item;
  const preferredFile = fileNameAfterMove(
    shown.item,
    { file, pathBefore: row?.path ?? path },
    pass.types,
  );
  const written = await writeItem(pass, shown, { file, text, preferredFile });
  if (!written.isWritten) return;
  const did = written.file === file ? "changed in the folder" : "moved in the folder";
  pass.report.steps.push({ did, file: written.file, path });
}
