import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Folders with files that programs install or generate. */
const FOLDERS_LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "_site"]);

/** A hidden file or folder, or a symbolic link, which an import does not read. */
export interface SkippedEntry {
  /** Path relative to the folder, with `/` as separator. */
  name: string;
  isLink: boolean;
}

export interface FolderFiles {
  /** Sorted paths of the files, relative to the folder, with `/` as separator. */
  files: string[];
  skipped: SkippedEntry[];
}

export function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export function isPlainFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

type YieldToEvents = () => Promise<void>;

/**
 * The files below a subfolder of a site folder. Returns none if the subfolder is missing or is a
 * symbolic link.
 */
export async function listFilesInSubfolder(
  site: string,
  folder: string,
  yieldBetween?: YieldToEvents,
): Promise<FolderFiles> {
  const place = join(site, folder);
  return isPlainFolder(place) ? await listFiles(place, yieldBetween) : { files: [], skipped: [] };
}

/** The files below a folder, and the entries that an import skips there. */
export async function listFiles(
  root: string,
  yieldBetween: YieldToEvents | undefined,
): Promise<FolderFiles> {
  const found: FolderFiles = { files: [], skipped: [] };
  for (const { files, skipped } of filesByFolder(root)) {
    for (const file of files) found.files.push(file);
    for (const entry of skipped) found.skipped.push(entry);
    await yieldBetween?.();
  }
  found.files.sort();
  return found;
}

/**
 * The files below a folder, sorted. Skips hidden files. Skips symbolic links too, so that an import
 * never leaves its folder.
 */
export function listFilesBelow(root: string): string[] {
  return [...filesByFolder(root)].flatMap(({ files }) => files).sort();
}

/** Like {@link listFilesBelow}, but yields the files of one folder at a time, unsorted. */
function* filesByFolder(root: string): Generator<FolderFiles> {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
      ({ name }) => !FOLDERS_LEFT_OUT.has(name),
    );
    const isSkipped = (entry: Dirent) => isHidden(entry.name) || entry.isSymbolicLink();
    const read = entries.filter((entry) => !isSkipped(entry));
    for (const { name } of read.filter((entry) => entry.isDirectory())) {
      pending.push(`${folder}${name}/`);
    }
    yield {
      files: read.filter((entry) => entry.isFile()).map(({ name }) => folder + name),
      skipped: entries
        .filter(isSkipped)
        .map(({ name }) => ({ name: folder + name, isLink: !isHidden(name) })),
    };
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".") && name !== ".htaccess";
}
