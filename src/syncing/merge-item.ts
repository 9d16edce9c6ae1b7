import type { DraftedItemParts } from "../content/drafts/draft.ts";
import { mergeChangedParts, type PartConflict } from "../content/drafts/merging.ts";
import { partsDifferingFromItem, patchFromParts } from "../content/drafts/parts.ts";
import { changeItem } from "../content/editing/editing.ts";
import type { Item } from "../content/items/item.ts";
import { AppError } from "../errors.ts";
import {
  findEarlierPaths,
  normalizeFormerAddresses,
  saveFormerAddresses,
} from "./former-addresses.ts";
import { conflictCopyName, fileNameAfterMove } from "./item-files.ts";
import { formatItemFileText, type ItemWithPaths } from "./item-text.ts";
import { reportProblems, reportRejectedFile, type SyncPass } from "./pass-parts.ts";
import { parseAndPublishItemFile, parseItemText } from "./read-item-text.ts";
import { readItemWithPaths } from "./site-state.ts";
import type { SyncBaseRow, SyncBaseTexts } from "./sync-base.ts";
import type { SyncAction } from "./sync-report.ts";
import { writeItem } from "./write-item.ts";

interface ChangedItem {
  /** The base of the item; null if folder and site were never in sync. */
  row: SyncBaseRow | null;
  file: string;
  text: string;
  shown: ItemWithPaths;
  /** The texts when folder and site were last in sync. */
  baseTexts: SyncBaseTexts;
}

/**
 * Merges a changed file and its item, part by part and line by line. In a conflict, neither side changes,
 * and a copy next to the file shows the site's text. Removing the copy resolves the conflict in favour of
 * the file.
 */
export async function mergeItem(pass: SyncPass, changed: ChangedItem): Promise<void> {
  const { row, file, shown, baseTexts } = changed;
  const siteText = formatItemFileText(shown, row?.file ?? file, pass.types);
  const copy = conflictCopyName(row?.file ?? file);
  const isResolved = baseTexts.conflict !== null && pass.folder.readOrFault(copy) === null;
  const sides = await readSides(pass, changed, {
    siteText,
    seen: isResolved ? baseTexts.conflict : null,
  });
  if (sides === null) return;
  const { folderParts, base, siteParts } = sides;
  const merged = mergeChangedParts(folderParts, { base, theirs: siteParts });
  const { conflicts } = merged;
  const parts = await withEarlierPaths(pass, shown.item, { parts: merged.parts, siteParts });
  if (conflicts.length > 0) {
    await storeConflict(pass, changed, conflicts);
    return;
  }
  const merge: Merge = {
    changes: partsDifferingFromItem(parts, siteParts),
    siteParts,
    changesFile: Object.keys(partsDifferingFromItem(parts, folderParts)).length > 0,
    pathBefore: String(folderParts["path"]),
    copy: isResolved ? null : copy,
  };
  const isInPlace =
    row?.file === file && baseTexts.conflict === null && siteText === baseTexts.text;
  if (isInPlace && !hasChanges(merge) && !merge.changesFile) {
    // The file is written differently, but has the same content as the site.
    pass.report.same += 1;
  } else await applyMerge(pass, changed, merge);
}

/** Adds back the earlier paths of the item, which a file cannot remove. */
async function withEarlierPaths(
  pass: SyncPass,
  item: Item,
  { parts, siteParts }: { parts: DraftedItemParts; siteParts: DraftedItemParts },
): Promise<DraftedItemParts> {
  const stated = addressesIn(parts);
  const removed = addressesIn(siteParts).filter((address) => !stated.includes(address));
  if (removed.length === 0) return parts;
  const lasting = await findEarlierPaths(pass, item, removed);
  return { ...parts, redirectFrom: normalizeFormerAddresses([...stated, ...lasting]) };
}

function addressesIn({ redirectFrom }: DraftedItemParts): string[] {
  return Array.isArray(redirectFrom) ? redirectFrom.map(String) : [];
}

interface Merge {
  /** Changes to the item on the site. */
  changes: DraftedItemParts;
  siteParts: DraftedItemParts;
  /** Whether the file must be changed. */
  changesFile: boolean;
  /** The site path that the file states. */
  pathBefore: string;
  /** The conflict copy to remove; null if the copy is already gone. */
  copy: string | null;
}

function hasChanges({ changes }: Merge): boolean {
  return Object.keys(changes).length > 0;
}

async function applyMerge(pass: SyncPass, changed: ChangedItem, merge: Merge): Promise<void> {
  const { file, text, shown, baseTexts } = changed;
  const { changes, pathBefore, copy } = merge;
  const saved = hasChanges(merge) ? await saveChanges(pass, changed, merge) : shown;
  if (saved === null) return;
  if (baseTexts.conflict !== null && copy !== null)
    await pass.folder.remove(copy, baseTexts.conflict);
  const preferredFile = fileNameAfterMove(saved.item, { file, pathBefore }, pass.types);
  const written = await writeItem(pass, saved, { file, text, preferredFile });
  const did = outcomeOf(merge, written.isWritten);
  if (did === null) pass.report.same += 1;
  else {
    const { path } = saved.item;
    pass.report.steps.push({ did, file: written.file, path, parts: Object.keys(changes) });
  }
}

/** The outcome to report; null if the two sides had made the same change. */
function outcomeOf(merge: Merge, isWritten: boolean): SyncAction["did"] | null {
  if (hasChanges(merge)) return merge.changesFile ? "merged on both sides" : "changed on the site";
  return merge.changesFile && isWritten ? "changed in the folder" : null;
}

interface Sides {
  folderParts: DraftedItemParts;
  base: DraftedItemParts;
  siteParts: DraftedItemParts;
}

/**
 * Reads the sides to merge. If a side cannot be parsed, reports the fault and returns null.
 *
 * @param seen the site's text that the author saw when resolving a conflict; null if there was no
 * conflict.
 */
async function readSides(
  pass: SyncPass,
  { row, file, text, baseTexts }: ChangedItem,
  { siteText, seen }: { siteText: string; seen: string | null },
): Promise<Sides | null> {
  const baseFile = row?.file ?? file;
  const read = await parseAndPublishItemFile(text, file, { ...pass, root: pass.folder.root });
  // Leaves out fields that the type has lost since the last sync: the texts of the base cannot be edited.
  const earlier = { ...pass, unknown: "leave_out" } as const;
  const base =
    baseTexts.text === "" ? EMPTY_BASE : await parseItemText(baseTexts.text, baseFile, earlier);
  const site = await parseItemText(siteText, baseFile, pass);
  const seenItem = seen === null ? EMPTY_BASE : await parseItemText(seen, baseFile, earlier);
  for (const side of [read, base, site, seenItem]) {
    if ("problems" in side) reportProblems(pass, file, side.problems);
  }
  if ("problems" in read || "problems" in base || "problems" in site) return null;
  if ("problems" in seenItem) return null;
  // If the item was renamed during a conflict, the text of the base still states the old path.
  const baseParts = row === null || base === EMPTY_BASE ? {} : { ...base.parts, path: row.path };
  const folderParts = withRemovals(read.parts, { base: baseParts, siteParts: site.parts });
  const resolved = seen === null ? [] : conflictingParts(folderParts, baseParts, seenItem.parts);
  const seenParts = Object.fromEntries(resolved.map((part) => [part, seenItem.parts[part]]));
  return { folderParts, base: { ...baseParts, ...seenParts }, siteParts: site.parts };
}

const EMPTY_BASE: { parts: DraftedItemParts } = { parts: {} };

/**
 * Returns the names of the parts in which the file and the site's text were in conflict. The author has
 * resolved these conflicts. Changes on the site to all other parts still have to be merged.
 */
function conflictingParts(
  folderParts: DraftedItemParts,
  base: DraftedItemParts,
  siteParts: DraftedItemParts,
): string[] {
  return mergeChangedParts(folderParts, { base, theirs: siteParts }).conflicts.map(
    ({ part }) => part,
  );
}

/**
 * Adds null for each part that a file lacks, so that the merge removes the part. A missing status keeps its
 * value.
 */
function withRemovals(
  folderParts: DraftedItemParts,
  { base, siteParts }: Omit<Sides, "folderParts">,
): DraftedItemParts {
  const complete: Record<string, unknown> = { ...folderParts };
  const status = folderParts["status"] ?? base["status"] ?? siteParts["status"];
  for (const part of [...Object.keys(base), ...Object.keys(siteParts)]) complete[part] ??= null;
  return { ...complete, status };
}

/** Saves changes to the site. If the site refuses them, reports the refusal and returns null. */
async function saveChanges(
  pass: SyncPass,
  { file, shown }: ChangedItem,
  { changes, siteParts }: Merge,
): Promise<ItemWithPaths | null> {
  const { content, actor, now } = pass;
  const { id, revision } = shown.item;
  const { redirectFrom, ...others } = changes;
  try {
    const item = await content.write(async (transaction) => {
      const change = { patch: patchFromParts(others), now, revision };
      const saved = await changeItem(transaction, actor, id, change);
      const addresses = { before: addressesIn(siteParts), after: addressesIn(changes) };
      if (redirectFrom !== undefined) {
        await saveFormerAddresses(transaction, pass, saved.item, addresses);
      }
      return saved.item;
    });
    return await readItemWithPaths(pass, item);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    reportRejectedFile(pass, file, error.message);
    return null;
  }
}

/** Stores a conflict. Writes the copy first, because a conflict without a copy counts as resolved. */
async function storeConflict(
  pass: SyncPass,
  { row, file, shown, baseTexts }: ChangedItem,
  conflicts: readonly PartConflict[],
): Promise<void> {
  const { id, path } = shown.item;
  const { folder, base, types } = pass;
  const text = formatItemFileText(shown, file, types);
  const copy = conflictCopyName(file);
  const currentCopy = folder.read(copy);
  if (currentCopy !== text) await folder.write(copy, text, currentCopy);
  if (row !== null && row.file !== file && baseTexts.conflict !== null) {
    await folder.remove(conflictCopyName(row.file), baseTexts.conflict);
  }
  const isStored = baseTexts.conflict === text && row?.file === file;
  if (!isStored)
    base.put({ id, file, path: row?.path ?? path, text: baseTexts.text, conflict: text });
  pass.report.conflicts.push({
    file,
    path,
    parts: conflicts.map(({ part, theirs, mine }) => ({ part, site: theirs, folder: mine })),
  });
}
