import { join } from "node:path";
import type { Actor } from "../../access/actor.ts";
import type { DraftedItemParts } from "../../content/drafts/draft.ts";
import { mergeAllParts, type PartConflict } from "../../content/drafts/merging.ts";
import { isSameValue, partsDifferingFromItem } from "../../content/drafts/parts.ts";
import type { ContentRecord } from "../../content/record.ts";
import { AppError } from "../../errors.ts";
import { conflictCopyName } from "../item-files.ts";
import { reportProblems } from "../pass-parts.ts";
import type { SyncBase, SyncBaseParts } from "../sync-base.ts";
import type { SyncFolder } from "../sync-folder.ts";
import type { SyncPassReport } from "../sync-report.ts";
import { extractYamlComments } from "../yaml-comments.ts";

export interface SettingsPass {
  content: ContentRecord;
  actor: Actor;
  now: Date;
  /** The site folder, with `site.yaml`. */
  folder: SyncFolder;
  base: SyncBase;
  isPruning: boolean;
  report: SyncPassReport;
}

/** A file of a group, with its text and the parts that it contains. */
export interface SettingsFile {
  text: string;
  parts: DraftedItemParts;
}

/** Files that are merged together: the settings and types of the site, or its redirects. */
export interface SettingsGroup {
  name: "settings" | "redirects";
  mainFile: string;
  folderFiles: ReadonlyMap<string, SettingsFile>;
  siteFiles: ReadonlyMap<string, SettingsFile>;
  /** The parts that the folder contains. */
  folderParts: DraftedItemParts;
  /** The order of the types that the site declares. */
  typeOrder: readonly string[];
  /** Returns the names of the `known` parts whose files are gone from the folder. */
  goneParts(known: DraftedItemParts): string[];
  /** New text for a file whose parts the site no longer has. Null: the file is removed. */
  emptyText: string | null;
  /** Saves the folder's changes to the site. */
  save(changes: SettingsChanges): Promise<SettingsSaveResult>;
}

export interface SettingsSaveResult {
  /** Names of the parts that were changed on the site. */
  changed: readonly string[];
  /** Messages of refused changes. */
  refused: readonly string[];
  /** Whether some parts were not saved, because the site has changed since it was read. */
  isStale: boolean;
}

export interface SettingsChanges {
  /** The base of the merge. */
  base: SyncBaseParts;
  siteParts: DraftedItemParts;
  /** The parts to change on the site, with their new values. Null: the part is removed. */
  changes: DraftedItemParts;
}

const EMPTY_BASE_PARTS: SyncBaseParts = { parts: {}, typeOrder: [], conflict: null };

/**
 * Merges the files of a group with the site, part by part. A pass writes to one side only. If the
 * folder has changes, saves these changes to the site. Otherwise, writes the site's changes to the
 * folder.
 */
export async function syncSettingsGroup(pass: SettingsPass, group: SettingsGroup): Promise<void> {
  const { base, report } = pass;
  const { name, mainFile } = group;
  const baseParts = base.baseParts(name) ?? EMPTY_BASE_PARTS;
  const resolved = withResolved(pass, baseParts);
  const siteParts = collectSettingsParts(group.siteFiles);
  const gone = pass.isPruning ? [] : group.goneParts(resolved.parts);
  for (const part of gone) report.pending.push({ file: mainFile, path: part, on: "the site" });
  // The base leaves out parts whose file is gone, so that the merge keeps the site's values.
  const known = { ...resolved, parts: without(resolved.parts, gone) };
  const { folderParts } = group;
  const { parts, conflicts } = mergeAllParts(folderParts, { base: known.parts, theirs: siteParts });
  if (conflicts.length > 0) {
    return await storeConflict(pass, group, { baseParts: resolved, siteParts, conflicts });
  }
  const changes = partsDifferingFromItem(parts, siteParts);
  if (await saveChanges(pass, group, { base: known, siteParts, changes })) return;
  await writeFiles(pass, group, { folderParts, siteParts, gone });
  await storeBaseParts(pass, group, { baseParts, siteParts });
}

/**
 * Adds the parts from the copies of a conflict to the base, once a person has resolved the conflict by
 * removing the copies.
 */
function withResolved({ folder }: SettingsPass, baseParts: SyncBaseParts): SyncBaseParts {
  const { conflict, parts } = baseParts;
  const isResolved = conflict?.copies.every((file) => folder.readOrFault(file) === null) ?? false;
  return isResolved ? { ...baseParts, parts: { ...parts, ...conflict?.seen } } : baseParts;
}

/** @returns whether the site changed or refused a change. The next pass then writes the folder. */
async function saveChanges(
  { folder, report }: SettingsPass,
  group: SettingsGroup,
  changes: SettingsChanges,
): Promise<boolean> {
  if (Object.keys(changes.changes).length === 0) return false;
  const { name, mainFile: file } = group;
  const { changed, refused, isStale } = await saved(group, changes);
  for (const reason of refused) {
    report.failed.push({ file, message: `${join(folder.root, file)}: ${reason}` });
  }
  if (changed.length > 0) {
    report.steps.push({ did: "changed on the site", file, path: name, parts: changed });
  }
  return isStale || changed.length + refused.length > 0;
}

async function storeBaseParts(
  { folder, base }: SettingsPass,
  { name, typeOrder }: SettingsGroup,
  { baseParts, siteParts }: { baseParts: SyncBaseParts; siteParts: DraftedItemParts },
): Promise<void> {
  for (const copy of baseParts.conflict?.copies ?? []) {
    const text = folder.read(copy);
    if (text !== null) await folder.remove(copy, text);
  }
  const now = { parts: siteParts, typeOrder, conflict: null };
  if (!isSameValue(baseParts, now)) base.putBaseParts(name, now);
}

/** Reads a file of settings. Returns undefined, after reporting the fault, if it cannot be read. */
export function readSettingsFile(pass: SettingsPass, file: string): string | undefined {
  const text = pass.folder.read(file);
  if (text !== null) return text;
  const message = { en: "cannot be read as a text in UTF-8", de: "ist kein Text in UTF-8" };
  reportProblems(pass, file, [{ line: 1, field: "", message }]);
  return undefined;
}

export function collectSettingsParts(files: ReadonlyMap<string, SettingsFile>): DraftedItemParts {
  return Object.assign({}, ...[...files.values()].map(({ parts }) => parts));
}

function picked(parts: DraftedItemParts, names: readonly string[]): DraftedItemParts {
  return Object.fromEntries(names.map((name) => [name, parts[name]]));
}

function without(parts: DraftedItemParts, names: readonly string[]): DraftedItemParts {
  const left = new Set(names);
  return Object.fromEntries(Object.entries(parts).filter(([name]) => !left.has(name)));
}

async function saved(group: SettingsGroup, changes: SettingsChanges): Promise<SettingsSaveResult> {
  try {
    return await group.save(changes);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return { changed: [], refused: [error.message], isStale: false };
  }
}

interface FolderChange {
  folderParts: DraftedItemParts;
  siteParts: DraftedItemParts;
  /**
   * Parts whose files are gone from the folder. A sync does not write these files again, and pruning
   * removes the parts from the site.
   */
  gone: readonly string[];
}

/** Writes the files whose parts the site changed. The other files keep their comments and order. */
async function writeFiles(
  pass: SettingsPass,
  group: SettingsGroup,
  change: FolderChange,
): Promise<void> {
  for (const [file, stated] of group.siteFiles) {
    const isLeftOut = Object.keys(stated.parts).some((part) => change.gone.includes(part));
    if (!isLeftOut) await writeFile(pass, group, { file, stated, folderParts: change.folderParts });
  }
  for (const [file, stated] of group.folderFiles) {
    if (group.siteFiles.has(file)) continue;
    const removed = Object.keys(stated.parts).filter(
      (part) => change.siteParts[part] === undefined,
    );
    await emptyFile(pass, group, { file, text: stated.text, removed });
  }
}

async function writeFile(
  { folder, report }: SettingsPass,
  { name, folderFiles }: SettingsGroup,
  {
    file,
    stated,
    folderParts,
  }: { file: string; stated: SettingsFile; folderParts: DraftedItemParts },
): Promise<void> {
  const current = folderFiles.get(file);
  if (current !== undefined && isSameValue(current.parts, stated.parts)) return;
  if (!(await folder.write(file, stated.text, current?.text ?? null))) return;
  if (current === undefined) {
    report.steps.push({ did: "created in the folder", file, path: name });
    return;
  }
  const parts = Object.keys(
    partsDifferingFromItem({ ...current.parts, ...stated.parts }, folderParts),
  );
  report.steps.push({ did: "changed in the folder", file, path: name, parts });
  const lost = /\.ya?ml$/.test(file) ? extractYamlComments(current.text) : [];
  for (const comment of lost) report.dropped.push({ file, comment });
}

/** Removes the file of a type that the site no longer has, or empties a list of redirects. */
async function emptyFile(
  { folder, report, isPruning }: SettingsPass,
  { name, emptyText }: SettingsGroup,
  { file, text, removed }: { file: string; text: string; removed: readonly string[] },
): Promise<void> {
  if (emptyText !== null) {
    if (text === emptyText || !(await folder.write(file, emptyText, text))) return;
    report.steps.push({ did: "changed in the folder", file, path: name, parts: removed });
  } else if (removed.length > 0 && !isPruning) {
    for (const part of removed) report.pending.push({ file, path: part, on: "the folder" });
  } else if (await folder.remove(file, text)) {
    report.steps.push({ did: "deleted in the folder", file, path: name });
  }
}

/** Leaves both sides unchanged. A copy next to each file in conflict shows the site's text. */
async function storeConflict(
  { folder, base, report }: SettingsPass,
  { name, mainFile, folderFiles, siteFiles }: SettingsGroup,
  {
    baseParts,
    siteParts,
    conflicts,
  }: { baseParts: SyncBaseParts; siteParts: DraftedItemParts; conflicts: readonly PartConflict[] },
): Promise<void> {
  const fileOf = (part: string) =>
    [...folderFiles, ...siteFiles].find(([, { parts }]) => parts[part] !== undefined)?.[0] ??
    mainFile;
  const copies: string[] = [];
  for (const [file, some] of Map.groupBy(conflicts, ({ part }) => fileOf(part))) {
    const copy = conflictCopyName(file);
    const current = folder.read(copy);
    const text = siteFiles.get(file)?.text ?? "";
    if (current !== text) await folder.write(copy, text, current);
    copies.push(copy);
    report.conflicts.push({
      file,
      path: name,
      parts: some.map((one) => ({ part: one.part, site: one.theirs, folder: one.mine })),
    });
  }
  const seen = picked(
    siteParts,
    conflicts.map(({ part }) => part),
  );
  base.putBaseParts(name, { ...baseParts, conflict: { copies, seen } });
}
