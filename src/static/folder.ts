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
import { AppError, englishOnly } from "../errors.ts";
import { moveDurably, systemCode } from "../files/durable-files.ts";
import { pathBelow, pathBelowOrNull } from "../files/path-below.ts";

const MANIFEST_FILE = "written.json";
/**
 * Names written since the last manifest, so that the next export recognises the files of an interrupted one.
 */
const JOURNAL_FILE = "writing.txt";
const PARTIAL_FILE = "writing.part";

/** What an export did to the folder. */
export interface WrittenFiles {
  /** Files that are part of the export. */
  files: number;
  /** New files, and files whose bytes changed. */
  changed: number;
  removed: number;
  /** Files of an earlier export that are no longer needed, but kept because someone changed them. */
  kept: readonly string[];
}

/** A folder that an export brings up to date. Files it did not write are never touched. */
export interface StaticFolder {
  /**
   * Writes a file.
   *
   * @returns false if no file can have this name, for example because a part of it is too long.
   * @throws {AppError} `conflict` if the folder has such a file that is not from an export.
   */
  write(name: string, bytes: Uint8Array): Promise<boolean>;
  has(name: string): boolean;
  /** The bytes of each file written or kept so far, by name. */
  sizes(): ReadonlyMap<string, number>;
  /** Keeps a file of an earlier export. @returns false if it is missing or was changed. */
  keep(name: string): Promise<boolean>;
  /** Removes what earlier exports wrote and this one did not. */
  finish(): Promise<WrittenFiles>;
}

/** Opens or makes the folder of an export. Names of files are relative to it. */
export async function openStaticFolder(folder: string): Promise<StaticFolder> {
  await makePublicFolder(folder);
  const former = await readManifest(folder);
  const journal = join(folder, JOURNAL_FILE);
  const ownNames = new Set([...former.keys(), ...(await linesOf(journal))]);
  const written = new Map<string, string>();
  const sizes = new Map<string, number>();
  let changed = 0;
  const pathOf = (name: string) => pathBelow(folder, ...name.split("/"));
  const note = (name: string, { hash, bytes }: { hash: string; bytes: number }) => {
    written.set(name, hash);
    sizes.set(name, bytes);
  };
  return {
    has: (name) => written.has(name),
    sizes: () => sizes,
    async keep(name) {
      const formerHash = former.get(name);
      if (formerHash === undefined) return false;
      const present = await bytesAt(pathOf(name));
      if (present === null || hashOf(present) !== formerHash) return false;
      note(name, { hash: formerHash, bytes: present.length });
      return true;
    },
    async write(name, bytes) {
      const path = pathBelowOrNull(folder, ...name.split("/"));
      if (path === null || !(await canHold(path))) return false;
      note(name, { hash: hashOf(bytes), bytes: bytes.length });
      const present = await bytesAt(path);
      if (present !== null && bytes.length === present.length && present.equals(bytes)) return true;
      if (present !== null && !ownNames.has(name)) throw foreignFile(path);
      if (!ownNames.has(name)) await appendFile(journal, `${name}\n`);
      await makePublicFolder(dirname(path));
      const part = join(folder, PARTIAL_FILE);
      await writeFile(part, bytes);
      await chmod(part, 0o644);
      await rename(part, path);
      changed += 1;
      return true;
    },
    async finish() {
      const keptNames: string[] = [];
      let removed = 0;
      for (const name of ownNames) {
        if (written.has(name)) continue;
        const present = await bytesAt(pathOf(name));
        if (present === null) continue;
        const formerHash = former.get(name);
        if (formerHash !== undefined && formerHash !== hashOf(present)) {
          keptNames.push(name);
          continue;
        }
        await rm(pathOf(name));
        await removeEmptyFolders(folder, name);
        removed += 1;
      }
      const files = Object.fromEntries([...written].sort());
      const part = join(folder, PARTIAL_FILE);
      await writeFile(part, `${JSON.stringify({ files }, null, 1)}\n`, { flush: true });
      await moveDurably(part, join(folder, MANIFEST_FILE));
      await rm(journal, { force: true });
      return { files: written.size, changed, removed, kept: keptNames };
    },
  };
}

async function readManifest(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return new Map();
  const read: unknown = JSON.parse(text);
  const files = typeof read === "object" && read !== null && "files" in read ? read.files : null;
  if (typeof files !== "object" || files === null) {
    throw new AppError(
      "invalid",
      englishOnly(`${join(folder, MANIFEST_FILE)} is not a list of exported files`),
    );
  }
  return new Map(Object.entries(files).map(([name, hash]) => [name, String(hash)]));
}

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").filter((line) => line !== "");
}

/**
 * Makes a folder that all users can read, since the web server runs as another user. The folders that
 * `makeFolder` makes are private.
 */
async function makePublicFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(folder); ; made = dirname(made)) {
    await chmod(made, 0o755);
    if (made === resolve(first)) return;
  }
}

/** Some file systems take shorter names than others. */
async function canHold(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return systemCode(error) !== "ENAMETOOLONG";
  }
}

/** The content of a file; null: it does not exist. @throws {AppError} `conflict` for anything but a file. */
async function bytesAt(path: string): Promise<Buffer | null> {
  try {
    if (!(await lstat(path)).isFile()) throw foreignFile(path);
    return await readFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return null;
    throw error;
  }
}

function foreignFile(path: string): AppError {
  return new AppError(
    "conflict",
    englishOnly(
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
