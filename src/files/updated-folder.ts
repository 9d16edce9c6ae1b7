import { createHash } from "node:crypto";
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  readFile,
  rename,
  rm,
  rmdir,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError, englishOnlyWording } from "../errors.ts";
import { chownToFolderOwner, makeFolder, moveDurably, systemErrorCode } from "./durable-files.ts";
import { joinPathBelow, joinPathBelowOrNull } from "./path-below.ts";

const MANIFEST_FILE = "written.json";
/**
 * Hashes and names of the files written since the last manifest. After an interrupted export, the
 * next export recognises the written files by this list.
 */
const JOURNAL_FILE = "writing.txt";
const PARTIAL_FILE = "writing.part";

interface FolderOptions {
  /** Subfolder for the list of written files; empty: the folder itself. */
  listFolder: string;
  /** Who can read the files. A web server runs as another user, so a folder for it needs `everyone`. */
  readers: "owner" | "everyone";
  /**
   * How an export treats a file that someone changed since the last export, if the new export differs from
   * it.
   */
  onEdited: "overwrite" | "keep";
}

/** The changes that an export made to the folder. */
export interface FolderUpdateResult {
  /** Number of files in the export. */
  files: number;
  /** Number of files that are new or whose bytes changed. */
  changed: number;
  removed: number;
  /**
   * Files of an earlier export that were neither replaced nor removed, because someone changed
   * them.
   */
  kept: readonly string[];
}

/** A folder that every export updates. Files that no export wrote are never changed. */
export interface ExportFolder {
  /**
   * Writes a file.
   *
   * @returns false if no file can have this name, for example because a part of it is too long.
   * @throws {AppError} `conflict` if a file of this name exists that is not from an export.
   */
  write(name: string, bytes: Uint8Array): Promise<boolean>;
  has(name: string): boolean;
  /** Sizes in bytes of the files written or kept so far, keyed by file name. */
  sizes(): ReadonlyMap<string, number>;
  /** Keeps a file of an earlier export. @returns false if the file is missing or was changed. */
  keepIfUnchanged(name: string): Promise<boolean>;
  /** Removes the files that earlier exports wrote and this export did not write. */
  finish(): Promise<FolderUpdateResult>;
}

/** Opens or makes the folder of an export. Names of files are relative to it. */
export async function openExportFolder(
  folder: string,
  { listFolder, readers, onEdited }: FolderOptions,
): Promise<ExportFolder> {
  const makeFolderFor = readers === "everyone" ? makePublicFolder : makeFolder;
  await makeFolderFor(folder);
  const lists = join(folder, listFolder);
  await makeFolderFor(lists);
  const { former, exportedNames, isUnchanged } = await readLists(lists);
  const journal = join(lists, JOURNAL_FILE);
  const part = join(lists, PARTIAL_FILE);
  const written = new Map<string, string>();
  const sizes = new Map<string, number>();
  const edited: string[] = [];
  let changed = 0;
  const pathOf = (name: string) => joinPathBelow(folder, ...name.split("/"));
  const recordFile = (name: string, { hash, bytes }: { hash: string; bytes: number }) => {
    written.set(name, hash);
    sizes.set(name, bytes);
  };
  const replace = async (name: string, path: string, bytes: Uint8Array) => {
    await appendFile(journal, `${hashOf(bytes)} ${name}\n`);
    chownToFolderOwner(lists, journal);
    await makeFolderFor(dirname(path));
    await writeFile(part, bytes);
    chownToFolderOwner(lists, part);
    if (readers === "everyone") await chmod(part, 0o644);
    await rename(part, path);
    changed += 1;
  };
  return {
    has: (name) => written.has(name),
    sizes: () => sizes,
    async keepIfUnchanged(name) {
      const formerHash = former.get(name);
      if (formerHash === undefined) return false;
      const present = await bytesAt(pathOf(name));
      if (present === null || hashOf(present) !== formerHash) return false;
      recordFile(name, { hash: formerHash, bytes: present.length });
      return true;
    },
    async write(name, bytes) {
      const path = joinPathBelowOrNull(folder, ...name.split("/"));
      if (path === null || !(await canHold(path))) return false;
      const hash = hashOf(bytes);
      const present = await bytesAt(path);
      const presentHash = present === null ? null : hashOf(present);
      const isOther = presentHash !== null && presentHash !== hash;
      if (isOther && !exportedNames.has(name)) throw conflictError(path);
      if (isOther && onEdited === "keep" && !isUnchanged(name, presentHash)) {
        // Records the hash from the last export instead of the new one. The next export then also
        // detects that someone changed the file.
        recordFile(name, { hash: former.get(name) ?? hash, bytes: bytes.length });
        edited.push(name);
        return true;
      }
      recordFile(name, { hash, bytes: bytes.length });
      if (presentHash !== hash) await replace(name, path, bytes);
      return true;
    },
    async finish() {
      const unneeded = [...exportedNames].filter((name) => !written.has(name));
      const { removed, kept } = await removeFiles(folder, unneeded, isUnchanged);
      const files = Object.fromEntries([...written].sort());
      await writeFile(part, `${JSON.stringify({ files }, null, 1)}\n`, { flush: true });
      chownToFolderOwner(lists, part);
      await moveDurably(part, join(lists, MANIFEST_FILE));
      await rm(journal, { force: true });
      return { files: written.size, changed, removed, kept: [...edited, ...kept] };
    },
  };
}

/** Removes files, except those that someone changed. */
async function removeFiles(
  folder: string,
  names: readonly string[],
  isUnchanged: (name: string, hash: string) => boolean,
): Promise<{ removed: number; kept: string[] }> {
  const kept: string[] = [];
  let removed = 0;
  for (const name of names) {
    const path = joinPathBelow(folder, ...name.split("/"));
    const present = await bytesAt(path);
    if (present === null) continue;
    if (!isUnchanged(name, hashOf(present))) {
      kept.push(name);
      continue;
    }
    await rm(path);
    await removeEmptyFolders(folder, name);
    removed += 1;
  }
  return { removed, kept };
}

/** The names and hashes of the files that earlier exports wrote. */
async function readLists(lists: string) {
  const former = await readManifest(lists);
  const interrupted = await readJournal(join(lists, JOURNAL_FILE));
  return {
    /** The hash of each file of the last export, by file name. */
    former,
    exportedNames: new Set([...former.keys(), ...interrupted.keys()]),
    isUnchanged: (name: string, hash: string) =>
      former.get(name) === hash || interrupted.get(name)?.has(hash) === true,
  };
}

async function readManifest(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return new Map();
  const read = parseJson(text);
  const files = typeof read === "object" && read !== null && "files" in read ? read.files : null;
  if (typeof files !== "object" || files === null) {
    throw new AppError(
      "invalid",
      englishOnlyWording(
        `${join(folder, MANIFEST_FILE)} is not a list of exported files: it is damaged, or has the marks of a merge. Restore an earlier version of it, or export to another folder`,
      ),
    );
  }
  return new Map(Object.entries(files).map(([name, hash]) => [name, String(hash)]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The hashes of the contents that an interrupted export was about to write, keyed by file name. */
async function readJournal(file: string): Promise<Map<string, Set<string>>> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  });
  const hashes = new Map<string, Set<string>>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, hash = "", name = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    hashes.set(name, (hashes.get(name) ?? new Set()).add(hash));
  }
  return hashes;
}

/**
 * Makes a folder that all users can read, since the web server runs as another user. `makeFolder`
 * would make it private.
 */
async function makePublicFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const made = [resolve(folder)];
  while (made[0] !== undefined && made[0] !== resolve(first)) made.unshift(dirname(made[0]));
  for (const path of made) {
    chownToFolderOwner(dirname(path), path);
    await chmod(path, 0o755);
  }
}

/**
 * Whether the file system accepts a path. The maximum length of a name depends on the file system.
 */
async function canHold(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== "ENAMETOOLONG";
  }
}

/**
 * The content of a file; null if it does not exist.
 *
 * @throws {AppError} `conflict` if the path is not that of a file.
 */
async function bytesAt(path: string): Promise<Buffer | null> {
  try {
    if (!(await lstat(path)).isFile()) throw conflictError(path);
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return null;
    throw error;
  }
}

function conflictError(path: string): AppError {
  return new AppError(
    "conflict",
    englishOnlyWording(
      `Cannot write ${path}: something is there that no export wrote. Move it away, or name another folder`,
    ),
  );
}

async function removeEmptyFolders(folder: string, name: string): Promise<void> {
  const parts = name.split("/").slice(0, -1);
  while (parts.length > 0) {
    try {
      await rmdir(join(folder, ...parts));
    } catch {
      return;
    }
    parts.pop();
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
