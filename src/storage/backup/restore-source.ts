import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError, buildWording, type Wording } from "../../errors.ts";
import {
  copyDurably,
  makeFolder,
  pathExists,
  restrictAndSyncFile,
  syncFolder,
  writeNewFile,
} from "../../files/durable-files.ts";
import { copyStore, verifyStore } from "../record/sqlite/copy.ts";
import type { DataLocation } from "./data-parts.ts";
import { endSessionsAndCodes } from "./ending-access.ts";
import {
  describeManifestMismatch,
  type Manifest,
  type ManifestFile,
  readManifest,
} from "./manifest.ts";
import { type CopiedMedia, copyMedia } from "./media-copying.ts";

const DIFFERENCES_SHOWN_MAX = 5;

/** In a SQLite file in WAL mode, bytes 18 and 19 are both 2. */
const FORMAT_OFFSET = 18;
const WAL_FORMAT = 2;

export interface RestoreSource {
  /** Path as given by the operator. */
  path: string;
  store: string;
  /** The media folder of the backup; null if the backup has only the store. */
  media: string | null;
  /** Null if the backup is a single file or was made by an earlier version. */
  manifest: Manifest | null;
}

/** @throws {AppError} `invalid` if `from` is not a backup. */
export async function findRestoreSource(
  from: string,
  { store, media }: DataLocation,
): Promise<RestoreSource> {
  const found = await stat(from).catch(() => null);
  if (found === null)
    throw new AppError("invalid", {
      en: `Cannot restore ${from}: it does not exist`,
      de: `${from} lässt sich nicht wiederherstellen: Das gibt es nicht`,
    });
  if (!found.isDirectory()) return { path: from, store: from, media: null, manifest: null };
  const manifest = await readManifest(from, { store, media });
  const file = join(from, store);
  if (manifest === null && !(await pathExists(file))) {
    throw new AppError("invalid", {
      en: `Cannot restore ${from}: there is no ${store} in it`,
      de: `${from} lässt sich nicht wiederherstellen: Darin fehlt ${store}`,
    });
  }
  const hasMedia = manifest !== null || (await pathExists(join(from, media)));
  return { path: from, store: file, media: hasMedia ? join(from, media) : null, manifest };
}

/**
 * Copies the backup into a new folder, checks it, ends the sessions and codes in it, and syncs it to disk.
 *
 * @throws {AppError} `invalid` for a store of another program; `unavailable` for a damaged store or files
 * that differ from the manifest.
 */
export async function stageBackup(
  source: RestoreSource,
  { folder: incoming, store, media }: DataLocation,
): Promise<CopiedMedia> {
  const copied: CopiedMedia = new Map();
  makeFolder(incoming);
  if (source.media !== null) makeFolder(join(incoming, media));
  if (source.manifest !== null) {
    for (const { path, ...facts } of await copyListed(source, source.manifest.files, incoming)) {
      if (path !== store) copied.set(path.slice(media.length + 1), facts);
    }
  } else {
    await copyUnlisted(source, join(incoming, store));
    if (source.media !== null) {
      await copyMedia({ from: source.media, to: join(incoming, media) }, copied);
    }
  }
  verifyStore(join(incoming, store), source.store);
  endSessionsAndCodes(join(incoming, store));
  await restrictAndSyncFile(join(incoming, store));
  if (source.media !== null) await syncFolder(join(incoming, media));
  await syncFolder(incoming);
  return copied;
}

const FILE_MISSING: Wording = { en: "missing", de: "fehlt" };

async function copyListed(
  { path }: RestoreSource,
  files: readonly ManifestFile[],
  incoming: string,
): Promise<readonly ManifestFile[]> {
  const differences: Wording[] = [];
  for (const file of files) {
    const found = await pathExists(join(path, file.path));
    const mismatch = found
      ? describeManifestMismatch(
          await copyDurably(join(path, file.path), join(incoming, file.path)),
          file,
        )
      : FILE_MISSING;
    if (mismatch === null) continue;
    differences.push(buildWording((language) => `${file.path} (${mismatch[language]})`));
  }
  if (differences.length === 0) return files;
  const first = differences.slice(0, DIFFERENCES_SHOWN_MAX);
  const { en, de } = buildWording((language) => first.map((one) => one[language]).join(", "));
  const more = differences.length - DIFFERENCES_SHOWN_MAX;
  throw new AppError("unavailable", {
    en: `Cannot restore ${path}: it does not match its manifest.json: ${en}${more > 0 ? ` and ${more} more` : ""}. Nothing was changed`,
    de: `${path} lässt sich nicht wiederherstellen: Der Inhalt entspricht nicht der manifest.json: ${de}${more > 0 ? ` und ${more} weitere` : ""}. Es wurde nichts geändert`,
  });
}

/**
 * Copies the WAL file too if the store is in WAL mode. In any other mode, a WAL file next to the
 * store belongs to another database.
 */
async function copyUnlisted({ store }: RestoreSource, to: string): Promise<void> {
  if ((await usesWal(store)) && (await pathExists(`${store}-wal`))) {
    await writeNewFile(to, "");
    await copyStore(store, to, () => {});
  } else {
    await copyDurably(store, to);
  }
}

async function usesWal(store: string): Promise<boolean> {
  await using file = await open(store, "r");
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, FORMAT_OFFSET);
  return buffer.every((byte) => byte === WAL_FORMAT);
}
