import { createHash } from "node:crypto";
import { mediaFileIdFromHash, parseMediaFileName } from "../../content/media/media-kinds.ts";
import { parseSharedTrashName, TRASH_FOLDER } from "../../content/media/media-trash.ts";
import { AppError } from "../../errors.ts";
import type { RecordFiles } from "./readable-record.ts";

/** Folders of a data folder whose files are moved. */
export const MOVED_FOLDERS: readonly string[] = ["media", TRASH_FOLDER, "jobs"];

export interface FilesComparison {
  /** Number of files at the source. */
  files: number;
  bytes: number;
  differences: readonly string[];
  /**
   * Names of files that are incomplete at the source, or whose bytes do not match the hash in their
   * name.
   */
  damaged: readonly string[];
}

export type OnFileProgress = (done: number, total: number) => void;

/** Copies all files that are complete at the source. {@link compareFiles} reports the others. */
export async function copyFiles(
  source: RecordFiles,
  target: RecordFiles,
  onFiles: OnFileProgress,
): Promise<void> {
  const names = await namesIn(source);
  for (const [done, name] of names.entries()) {
    onFiles(done, names.length);
    const file = await source.find(name);
    if (file !== null) await target.write(name, file.pieces()).catch(ignoreNotFound);
  }
}

/** Compares the bytes of all files. Reads every file on both sides. */
export async function compareFiles(
  source: RecordFiles,
  target: RecordFiles,
  onFiles: OnFileProgress,
): Promise<FilesComparison> {
  const names = await namesIn(source);
  const differences: string[] = [];
  const damaged: string[] = [];
  let bytes = 0;
  for (const [done, name] of names.entries()) {
    onFiles(done, names.length);
    const here = await hashOf(source, name);
    const there = await hashOf(target, name);
    bytes += here?.bytes ?? 0;
    if (here === null || !matchesName(name, here.sha256)) damaged.push(name);
    if (here?.sha256 === there?.sha256) continue;
    const fault = there === null ? "is missing" : "has other bytes";
    differences.push(`${name} ${fault} in the target`);
  }
  const known = new Set(names);
  for (const name of await namesIn(target)) {
    if (!known.has(name)) differences.push(`${name} is in the target only`);
  }
  return { files: names.length, bytes, differences, damaged };
}

/** Returns null if the file or a part of it is missing. */
async function hashOf(
  files: RecordFiles,
  name: string,
): Promise<{ sha256: string; bytes: number } | null> {
  const file = await files.find(name);
  if (file === null) return null;
  const hash = createHash("sha256");
  try {
    for await (const piece of file.pieces()) hash.update(piece);
  } catch (error) {
    ignoreNotFound(error);
    return null;
  }
  return { sha256: hash.digest("hex"), bytes: file.bytes };
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppError && error.code === "not_found")) throw error;
}

/**
 * Whether the hash of a media file, which may be in the trash, matches its name. Files of other kinds
 * always match.
 */
function matchesName(path: string, sha256: string): boolean {
  const name = path.slice(path.indexOf("/") + 1);
  const medium = parseMediaFileName(parseSharedTrashName(name)?.name ?? name);
  return medium === null || medium.id === mediaFileIdFromHash(sha256);
}

async function namesIn(files: RecordFiles): Promise<string[]> {
  const names: string[] = [];
  for (const folder of MOVED_FOLDERS) {
    for (const { name } of await files.list(folder)) names.push(name);
  }
  return names;
}
