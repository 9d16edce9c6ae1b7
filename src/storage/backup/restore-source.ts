import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import {
  copyDurably,
  exists,
  makeFolder,
  settleFile,
  syncFolder,
  writeNewFile,
} from "../../files/durable-files.ts";
import { copyStore, proveStore } from "../record/sqlite/copy.ts";
import type { DataParts } from "./data-parts.ts";
import { difference, type Manifest, type ManifestFile, readManifest } from "./manifest.ts";
import { type CopiedMedia, copyMedia } from "./media-copying.ts";

const DIFFERENCES_SHOWN_MAX = 5;

/** Bytes 18 and 19 of a store: 2 when SQLite keeps a log beside it. */
const FORMAT_OFFSET = 18;
const FORMAT_WITH_LOG = 2;

/** What can be restored. */
export interface RestoreSource {
  /** As the operator named it. */
  named: string;
  store: string;
  /** The folder of the site's files; null: it is the store alone. */
  media: string | null;
  /** null: the backup is a single file, or of an earlier version. */
  manifest: Manifest | null;
}

/** @throws {AppError} `invalid` for what is no backup. */
export async function findSource(
  from: string,
  { store, media }: DataParts,
): Promise<RestoreSource> {
  const found = await stat(from).catch(() => null);
  if (found === null) throw new AppError("invalid", `Cannot restore ${from}: it does not exist`);
  if (!found.isDirectory()) return { named: from, store: from, media: null, manifest: null };
  const manifest = await readManifest(from, { store, media });
  const file = join(from, store);
  if (manifest === null && !(await exists(file))) {
    throw new AppError("invalid", `Cannot restore ${from}: there is no ${store} in it`);
  }
  const hasMedia = manifest !== null || (await exists(join(from, media)));
  return { named: from, store: file, media: hasMedia ? join(from, media) : null, manifest };
}

/**
 * Copies everything into a new folder, checks it and waits until it is on disk.
 *
 * @throws {AppError} `invalid` for what is no store of this program; `unavailable` for a damaged one,
 * and for files that differ from the manifest.
 */
export async function bringIn(
  source: RestoreSource,
  { folder: incoming, store, media }: DataParts,
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
  proveStore(join(incoming, store), source.store);
  await settleFile(join(incoming, store));
  if (source.media !== null) await syncFolder(join(incoming, media));
  await syncFolder(incoming);
  return copied;
}

async function copyListed(
  { named }: RestoreSource,
  files: readonly ManifestFile[],
  incoming: string,
): Promise<readonly ManifestFile[]> {
  const differences: string[] = [];
  for (const file of files) {
    const found = await exists(join(named, file.path));
    const differs = found
      ? difference(await copyDurably(join(named, file.path), join(incoming, file.path)), file)
      : "missing";
    if (differs !== null) differences.push(`${file.path} (${differs})`);
  }
  if (differences.length === 0) return files;
  const shown = differences.slice(0, DIFFERENCES_SHOWN_MAX).join(", ");
  const more = differences.length - DIFFERENCES_SHOWN_MAX;
  throw new AppError(
    "unavailable",
    `Cannot restore ${named}: it is not what its manifest.json says: ${shown}${more > 0 ? ` and ${more} more` : ""}. Nothing was changed`,
  );
}

/** A log beside a store that keeps one belongs to it. Beside any other it must not be read. */
async function copyUnlisted({ store }: RestoreSource, to: string): Promise<void> {
  if ((await hasLog(store)) && (await exists(`${store}-wal`))) {
    await writeNewFile(to, "");
    await copyStore(store, to, () => {});
  } else {
    await copyDurably(store, to);
  }
}

async function hasLog(store: string): Promise<boolean> {
  await using file = await open(store, "r");
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, FORMAT_OFFSET);
  return buffer.every((byte) => byte === FORMAT_WITH_LOG);
}
