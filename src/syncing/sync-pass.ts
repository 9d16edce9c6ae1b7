import { saveItem } from "../content/editing/editing.ts";
import { deleteItem } from "../content/editing/publishing.ts";
import { AppError } from "../errors.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import { conflictCopyName, defaultFileName, fallbackFileName } from "./item-files.ts";
import { type ItemFile, type MatchedFiles, matchFiles } from "./match-files.ts";
import { reportProblems, reportRejectedFile, type SyncPass } from "./pass-parts.ts";
import { parseAndPublishItemFile } from "./read-item-text.ts";
import { readItemWithPaths, readSiteItems, type SiteItem } from "./site-state.ts";
import type { SyncBaseRow } from "./sync-base.ts";
import { syncItem } from "./sync-item.ts";
import { writeItem } from "./write-item.ts";

export interface SyncPassOptions {
  snapshot: () => Snapshot;
  /** Whether to propagate deletions to the other side. */
  isPruning: boolean;
}

/**
 * Compares folder, site and base once, and syncs every item that it can. Writes first to the site, then to
 * the file, then to the base, so that repeating an interrupted pass has the same result.
 */
export async function runSyncPass(
  parts: Omit<SyncPass, "pathOf">,
  { snapshot: open, isPruning }: SyncPassOptions,
): Promise<void> {
  const { folder, base, report } = parts;
  const rows = new Map(base.rows().map((row) => [row.id, row]));
  const { texts, others } = folder.files();
  for (const other of others) report.others.push(other);
  requireFiles(texts.size, rows.size, isPruning);
  const siteItems = await readWholeSite(open, rows, parts);
  const matched = await matchFiles(texts, { ...parts, rows, siteItems });
  const pass: SyncPass = { ...parts, pathOf: (file) => matched.paths.get(file) };
  for (const { file, problems } of matched.faults) reportProblems(pass, file, problems);
  for (const added of matched.added) await createOnSite(pass, added);
  for (const { row, file, text, id } of matched.found) {
    const siteItem = siteItems.get(id);
    if (siteItem !== undefined) await syncItem(pass, { row, file, text, siteItem });
    else if (row !== null) await settleDeletedOnSite(pass, { row, file, text, isPruning });
  }
  for (const row of matched.gone) {
    const item = siteItems.get(row.id);
    if (item === undefined) base.remove(row.id);
    else if (matched.mayMissRename) report.pending.push({ ...fileAndPath(row), on: "the site" });
    else await settleDeletedInFolder(pass, row, { item, isPruning });
  }
  const known = new Set([...rows.keys(), ...matched.found.map(({ id }) => id)]);
  const newItems = [...siteItems.values()].filter(({ id }) => !known.has(id));
  await createInFolder(pass, newItems, { texts, matched });
}

/** Refuses to delete all items if the folder is empty, since a folder that is not mounted looks empty too. */
function requireFiles(files: number, rows: number, isPruning: boolean): void {
  if (files > 0 || rows === 0 || !isPruning) return;
  throw new AppError("conflict", {
    en: "The folder has no files of items any more; nothing was deleted. To delete all items, do so on the site",
    de: "Im Ordner sind keine Dateien mehr; nichts wurde gelöscht. Löschen Sie die Inhalte auf der Website, wenn Sie das wollen",
  });
}

async function readWholeSite(
  open: () => Snapshot,
  rows: ReadonlyMap<string, SyncBaseRow>,
  { types }: Pick<SyncPass, "types">,
): Promise<Map<string, SiteItem>> {
  await using snapshot = open();
  return await readSiteItems(snapshot, rows, types);
}

/** Creates the item of a new file. The next pass adds links to items that do not exist yet. */
async function createOnSite(pass: SyncPass, { file, text }: ItemFile): Promise<void> {
  const { content, actor, now, folder, report } = pass;
  const read = await parseAndPublishItemFile(text, file, { ...pass, root: folder.root });
  if ("problems" in read) {
    reportProblems(pass, file, read.problems);
    return;
  }
  const { path } = read.input;
  const existing = await content.itemAt(path);
  if (existing?.status === "deleted" && existing.path === path) {
    report.deletedThere.push({ file, path });
    return;
  }
  try {
    const { item, missing } = await saveItem(content, actor, read.input, now, {
      expects: "new",
      missingTargets: "leave_out",
    });
    report.steps.push({ did: "created on the site", file, path: item.path });
    if (missing.length > 0) return;
    await writeItem(pass, await readItemWithPaths(pass, item), { file, text, preferredFile: file });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    reportRejectedFile(pass, file, error.message);
  }
}

async function settleDeletedOnSite(
  { base, folder, report }: SyncPass,
  {
    row,
    file,
    text,
    isPruning,
  }: { row: SyncBaseRow; file: string; text: string; isPruning: boolean },
): Promise<void> {
  const { id, path } = row;
  if (base.texts(id).text !== text) report.deletedThere.push({ file, path });
  else if (!isPruning) report.pending.push({ file, path, on: "the folder" });
  else if (await folder.remove(file, text)) {
    base.remove(id);
    report.steps.push({ did: "deleted in the folder", file, path });
  }
}

function fileAndPath({ file, path }: SyncBaseRow): { file: string; path: string } {
  return { file, path };
}

async function settleDeletedInFolder(
  pass: SyncPass,
  row: SyncBaseRow,
  { item, isPruning }: { item: SiteItem; isPruning: boolean },
): Promise<void> {
  const { content, actor, base, folder, now, report } = pass;
  const { id, file, path } = row;
  if (item.changed !== null) {
    const { conflict } = base.texts(id);
    if (conflict !== null) await folder.remove(conflictCopyName(file), conflict);
    const written = await writeItem(pass, item.changed, { file, text: null, preferredFile: file });
    if (written.isWritten) report.steps.push({ did: "brought back in the folder", file, path });
    return;
  }
  if (!isPruning) {
    report.pending.push({ file, path, on: "the site" });
    return;
  }
  try {
    await deleteItem(content, actor, id, { now, revision: item.revision });
    base.remove(id);
    report.steps.push({ did: "deleted on the site", file, path });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    reportRejectedFile(pass, file, error.message);
  }
}

/**
 * Writes files for new items. Skips an item if its file name belongs to an unreadable file, which
 * may already contain the item.
 */
async function createInFolder(
  pass: SyncPass,
  items: readonly SiteItem[],
  { texts, matched }: { texts: ReadonlyMap<string, unknown>; matched: MatchedFiles },
): Promise<void> {
  const faultyFiles = new Set(matched.faults.map(({ file }) => file));
  // Many file systems ignore case in names.
  const takenFiles = new Set([...texts.keys()].map((file) => file.toLowerCase()));
  for (const { changed } of items) {
    if (changed === null) continue;
    const { item } = changed;
    const defaultFile = defaultFileName(item);
    if (faultyFiles.has(defaultFile)) continue;
    const file = takenFiles.has(defaultFile.toLowerCase())
      ? fallbackFileName(item.id)
      : defaultFile;
    const written = await writeItem(pass, changed, { file, text: null, preferredFile: file });
    if (!written.isWritten) continue;
    takenFiles.add(file.toLowerCase());
    pass.report.steps.push({ did: "created in the folder", file, path: item.path });
  }
}
