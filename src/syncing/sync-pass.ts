import { saveItem } from "../content/editing/editing.ts";
import { deleteItem } from "../content/editing/publishing.ts";
import { AppError } from "../errors.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import { copyFileName, fileById, fileOfItem } from "./item-files.ts";
import { type ItemFile, type MatchedFiles, matchFiles } from "./match-files.ts";
import { reportProblems, reportRefusal, type SyncPass } from "./pass-parts.ts";
import { readItemFile } from "./read-item-text.ts";
import { readSite, type SiteItem, shownItem } from "./site-state.ts";
import type { BaseRow } from "./sync-base.ts";
import { syncItem } from "./sync-item.ts";
import type { PassReport } from "./sync-report.ts";
import { writeItem } from "./write-item.ts";

export interface PassOptions {
  snapshot: () => Snapshot;
  /** Propagates deletions to the other side. */
  isPruning: boolean;
}

/**
 * Compares folder, site and base once, and syncs every item that it can. Writes the site, then the
 * file, then the base, so that a repeat after an interruption has the same result.
 */
export async function syncOnce(
  parts: Omit<SyncPass, "pathOf">,
  { snapshot: open, isPruning }: PassOptions,
): Promise<PassReport> {
  const { folder, base, report } = parts;
  const rows = new Map(base.rows().map((row) => [row.id, row]));
  const { texts, others } = folder.files();
  report.others.push(...others);
  requireFiles(texts.size, rows.size, isPruning);
  const site = await readWholeSite(open, rows, parts);
  const matched = await matchFiles(texts, { ...parts, rows, site });
  const pass: SyncPass = { ...parts, pathOf: (file) => matched.paths.get(file) };
  for (const { file, problems } of matched.faults) reportProblems(pass, file, problems);
  for (const added of matched.added) await createOnSite(pass, added);
  for (const { row, file, text, id } of matched.found) {
    const item = site.get(id);
    if (item !== undefined) await syncItem(pass, { row, file, text, site: item });
    else if (row !== null) await settleDeletedThere(pass, { row, file, text, isPruning });
  }
  for (const row of matched.gone) {
    const item = site.get(row.id);
    if (item === undefined) base.remove(row.id);
    else if (matched.isUnclear) report.pending.push({ ...fileAndPath(row), on: "the site" });
    else await settleDeletedHere(pass, row, { item, isPruning });
  }
  const known = new Set([...rows.keys(), ...matched.found.map(({ id }) => id)]);
  const news = [...site.values()].filter(({ id }) => !known.has(id));
  await createInFolder(pass, news, { texts, matched });
  return report;
}

/** An empty folder may be an unmounted one. */
function requireFiles(files: number, rows: number, isPruning: boolean): void {
  if (files > 0 || rows === 0 || !isPruning) return;
  throw new AppError("conflict", {
    en: "The folder has no files of items any more; nothing was deleted. To delete all items, do so on the site",
    de: "Im Ordner sind keine Dateien mehr; nichts wurde gelöscht. Löschen Sie die Inhalte auf der Website, wenn Sie das wollen",
  });
}

async function readWholeSite(
  open: () => Snapshot,
  rows: ReadonlyMap<string, BaseRow>,
  { types }: Pick<SyncPass, "types">,
): Promise<Map<string, SiteItem>> {
  await using snapshot = open();
  return await readSite(snapshot, rows, types);
}

/** The next pass adds links to items that do not exist yet. */
async function createOnSite(pass: SyncPass, { file, text }: ItemFile): Promise<void> {
  const { content, actor, now, folder, report } = pass;
  const read = await readItemFile(text, file, { ...pass, root: folder.root });
  if ("problems" in read) {
    reportProblems(pass, file, read.problems);
    return;
  }
  const { path } = read.input;
  const before = await content.itemAt(path);
  if (before?.status === "deleted" && before.path === path) {
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
    await writeItem(pass, await shownItem(content, item), { file, text, wanted: file });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    reportRefusal(pass, file, error.message);
  }
}

async function settleDeletedThere(
  { base, folder, report }: SyncPass,
  { row, file, text, isPruning }: { row: BaseRow; file: string; text: string; isPruning: boolean },
): Promise<void> {
  const { id, path } = row;
  if (base.texts(id).text !== text) report.deletedThere.push({ file, path });
  else if (!isPruning) report.pending.push({ file, path, on: "the folder" });
  else if (await folder.remove(file, text)) {
    base.remove(id);
    report.steps.push({ did: "deleted in the folder", file, path });
  }
}

function fileAndPath({ file, path }: BaseRow): { file: string; path: string } {
  return { file, path };
}

async function settleDeletedHere(
  pass: SyncPass,
  row: BaseRow,
  { item, isPruning }: { item: SiteItem; isPruning: boolean },
): Promise<void> {
  const { content, actor, base, folder, now, report } = pass;
  const { id, file, path } = row;
  if (item.changed !== null) {
    const { conflict } = base.texts(id);
    if (conflict !== null) await folder.remove(copyFileName(file), conflict);
    const written = await writeItem(pass, item.changed, { file, text: null, wanted: file });
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
    reportRefusal(pass, file, error.message);
  }
}

/** An unreadable file at the item's path may be the item's own. */
async function createInFolder(
  pass: SyncPass,
  items: readonly SiteItem[],
  { texts, matched }: { texts: ReadonlyMap<string, unknown>; matched: MatchedFiles },
): Promise<void> {
  const faulty = new Set(matched.faults.map(({ file }) => file));
  // Many file systems ignore case.
  const taken = new Set([...texts.keys()].map((file) => file.toLowerCase()));
  for (const { changed } of items) {
    if (changed === null) continue;
    const { item } = changed;
    const own = fileOfItem(item);
    if (faulty.has(own)) continue;
    const file = taken.has(own.toLowerCase()) ? fileById(item.id) : own;
    const written = await writeItem(pass, changed, { file, text: null, wanted: file });
    if (!written.isWritten) continue;
    taken.add(file.toLowerCase());
    pass.report.steps.push({ did: "created in the folder", file, path: item.path });
  }
}
