import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { chmod, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMarkdownFile } from "../content/import/file-path.ts";
import { AppError, englishOnlyWording, type Wording } from "../errors.ts";
import {
  chownToFolderOwner,
  listFolderEntryNames,
  moveDurably,
  syncFolder,
} from "../files/durable-files.ts";
import { joinPathBelow } from "../files/path-below.ts";
import { listFilesBelow } from "../importing/folders/folder-files.ts";
import { isJsonLinesFile, readUtf8Text } from "../importing/import-files.ts";
import { EXPORTED_DELETIONS_FILE } from "../transfer/site-files.ts";

/** A file's text with LF line ends, or why it cannot be read. */
export type FileTextOrError = { text: string } | { fault: Wording };

/**
 * The files with items in a folder and its subfolders. `write` and `remove` get the text that the
 * caller expects in the file. If the file now has another text, they do nothing (compare and swap).
 */
export interface SyncFolder {
  root: string;
  /** The Markdown files, keyed by file name, and the names of files with items in other formats. */
  files(): { texts: ReadonlyMap<string, FileTextOrError>; others: readonly string[] };
  /** The text of a file; null if the file does not exist or cannot be read. */
  read(file: string): string | null;
  /** As `read`, but says why a file cannot be read. */
  readOrFault(file: string): FileTextOrError | null;
  /**
   * @param expected the text that the file must still have; null: the file must not exist.
   * @returns whether the file was written.
   */
  write(file: string, text: string, expected: string | null): Promise<boolean>;
  /** @returns false if the new path is taken. */
  move(from: string, to: string): Promise<boolean>;
  /**
   * @param expected the text that the file must still have.
   * @returns whether the file was removed.
   */
  remove(file: string, expected: string): Promise<boolean>;
}

const PART_PREFIX = "part-";
/** A shared file holds many items, so it can be longer than the text of one item. */
const SHARED_FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Removes unfinished files that a killed process left in `scratch`. Call only while the base is locked. */
export async function removeUnfinishedFiles(scratch: string): Promise<void> {
  for (const name of await listFolderEntryNames(scratch)) {
    if (name.startsWith(PART_PREFIX)) await rm(join(scratch, name), { force: true });
  }
}

/**
 * Opens a folder to sync.
 *
 * @param scratch a folder on the same file system, for files that are being written.
 */
export function openSyncFolder(root: string, scratch: string): SyncFolder {
  const absolutePath = (file: string) => joinPathBelow(root, ...file.split("/"));
  const readOrFault = (file: string) => {
    const path = absolutePath(file);
    return isRegularFile(path) ? readFileState(path) : null;
  };
  const read = (file: string) => {
    const state = readOrFault(file);
    return state !== null && "text" in state ? state.text : null;
  };
  const makeParentFolder = (file: string) => requirePlainFolders(root, file);
  return {
    root,
    read,
    readOrFault,
    files() {
      const names = listFilesBelow(root);
      const texts = names.filter(isMarkdownFile).map((file) => {
        const state = readFileState(absolutePath(file));
        return [file, state] as const;
      });
      return { texts: new Map(texts), others: names.filter(isItemsFile) };
    },
    async write(file, text, expected) {
      makeParentFolder(file);
      const path = absolutePath(file);
      const part = join(scratch, `${PART_PREFIX}${randomUUID()}`);
      const isPresent = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      const isCrLf =
        isPresent && isRegularFile(path) && (await readFile(path, "utf8")).includes("\r\n");
      await using handle = await open(part, "wx", 0o666);
      chownToFolderOwner(dirname(path), part);
      if (isPresent && isRegularFile(path)) await chmod(part, lstatSync(path).mode & 0o777);
      await handle.writeFile(isCrLf ? text.replaceAll("\n", "\r\n") : text);
      await handle.sync();
      const isAsExpected = expected === null ? !isPresent : read(file) === expected;
      if (isAsExpected) await moveDurably(part, path);
      else await rm(part, { force: true });
      return isAsExpected;
    },
    async move(from, to) {
      makeParentFolder(to);
      if (lstatSync(absolutePath(to), { throwIfNoEntry: false }) !== undefined) return false;
      await rename(absolutePath(from), absolutePath(to));
      await syncFolder(dirname(absolutePath(to)));
      removeEmptyFolders(root, from);
      return true;
    },
    async remove(file, expected) {
      if (read(file) !== expected) return false;
      await rm(absolutePath(file));
      removeEmptyFolders(root, file);
      return true;
    },
  };
}

/** For a dry run: reads the folder and discards all changes. */
export function createDryRunFolder(folder: SyncFolder): SyncFolder {
  return {
    ...folder,
    write: async () => true,
    move: async () => true,
    remove: async () => true,
  };
}

/** Whether a file lists items; false for an export's list of the addresses of deleted items. */
function isItemsFile(name: string): boolean {
  return isJsonLinesFile(name) && name !== EXPORTED_DELETIONS_FILE;
}

function readFileState(path: string): FileTextOrError {
  const state = isJsonLinesFile(path)
    ? readUtf8Text(path, SHARED_FILE_BYTES_MAX)
    : readUtf8Text(path);
  return "text" in state ? { text: withLineFeeds(state.text) } : state;
}

function withLineFeeds(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

function isRegularFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Creates the parent folders of a file; refuses symbolic links. */
function requirePlainFolders(root: string, file: string): void {
  let path = root;
  for (const name of file.split("/").slice(0, -1)) {
    path = joinPathBelow(path, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      mkdirSync(path);
      chownToFolderOwner(dirname(path), path);
    } else if (!found.isDirectory()) {
      const message = `Cannot write ${join(root, file)}: ${path} is not a folder`;
      throw new AppError("conflict", englishOnlyWording(message));
    }
  }
}

function removeEmptyFolders(root: string, file: string): void {
  const names = file.split("/").slice(0, -1);
  try {
    for (; names.length > 0; names.pop()) rmdirSync(join(root, ...names));
  } catch {
    // The folder is not empty, so it stays.
  }
}
