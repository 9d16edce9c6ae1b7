import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Config } from "../config.ts";
import { mediaFileName } from "../content/media/media-kinds.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { pathExists } from "../files/durable-files.ts";
import { readFileFingerprint } from "../files/file-facts.ts";
import { describeManifestMismatch, readManifest } from "../storage/backup/manifest.ts";
import { listMediaFileNames } from "../storage/backup/media-copying.ts";
import { readSiteAndMediaNames } from "../storage/backup/store-facts.ts";
import { checkReadingCopyFile, checkStoreFile } from "../storage/integrity/stored-file.ts";
import {
  findMissingOrDamagedFiles,
  type MediaFileReader,
  type MissingOrDamagedFile,
  mediaFileReaderForFolder,
} from "../storage/media/checking-files.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { type DamageLocation, formatDamageLocation } from "../storage/sqlite/damage.ts";
import { asDamageError } from "../storage/sqlite/sqlite-errors.ts";
import {
  finishDataFolderRestore,
  mediaFolderPath,
  readingCopyFilePath,
  storeFilePath,
} from "./data-folder.ts";
import { openRecordForCommand } from "./store.ts";

const MEDIA_BATCH = 500;

export interface DamageFinding {
  part: DamageLocation["part"] | "files";
  /** Where the damage is: a table and the row's key, or a file name. */
  place: string;
  advice: string;
}

const REPAIR_ADVICE = {
  record: "Restore the latest backup that is whole",
  "reading copy": "A server that starts rebuilds it from the record",
  missing: "The file is missing: copy it from a backup",
  damaged: "The bytes of the file have changed: copy it from a backup",
  "missing copy": "The file is missing in the database: restore a dump",
  "damaged copy": "The bytes of the file have changed: remove it, and the server copies it again",
} as const;

/**
 * Checks the record, the reading copy and the media of the configured site, or of a backup. Changes nothing,
 * except that it first finishes an interrupted restore. Servers may be running.
 *
 * @param backup a folder or a `.db` file; null: the configured site.
 * @throws {AppError} `invalid` when there is no site or backup; `unavailable` when it cannot be opened.
 */
export async function* findDamage(
  config: Config,
  backup: string | null,
): AsyncGenerator<DamageFinding> {
  if (backup !== null) yield* verifyBackup(backup);
  else if (config.databaseUrl !== null) yield* verifyDatabase(config);
  else {
    const store = storeFilePath(config);
    await finishDataFolderRestore(config);
    if (!(await pathExists(store))) throw nothingAt(store);
    yield* verifyStore(store, { media: mediaFolderPath(config), listed: [] });
  }
}

async function* verifyBackup(path: string): AsyncGenerator<DamageFinding> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) throw nothingAt(path);
  if (!stats.isDirectory()) {
    yield* verifyStore(path, { media: null, listed: [] });
    return;
  }
  const names = { store: "commonplace.db", media: "media" };
  const manifest = await readManifest(path, names);
  const store = join(path, names.store);
  if (!(await pathExists(store))) throw nothingAt(store);
  const [storeEntry, ...files] = [...(manifest?.files ?? [])].sort(
    (a, b) => Number(b.path === names.store) - Number(a.path === names.store),
  );
  if (storeEntry !== undefined) {
    const fault = describeManifestMismatch(await readFileFingerprint(store), storeEntry);
    if (fault !== null) {
      yield {
        part: "record",
        place: `${names.store}, ${fault.en}`,
        advice: REPAIR_ADVICE.record,
      };
    }
  }
  const folder = join(path, names.media);
  const media = manifest !== null || (await pathExists(folder)) ? folder : null;
  yield* verifyStore(store, { media, listed: files.map(({ path }) => basename(path)) });
}

/**
 * Checks a store and its files. `listed` names files that must exist in addition to those that the
 * store lists.
 */
async function* verifyStore(
  store: string,
  { media, listed }: { media: string | null; listed: readonly string[] },
): AsyncGenerator<DamageFinding> {
  for (const place of checkStoreFile(store)) if (place !== null) yield findingAt(place);
  if (media === null) return;
  const names = new Set([...originalNames(store), ...listed, ...(await listMediaFileNames(media))]);
  yield* verifyFiles([...names].sort(), mediaFileReaderForFolder(media), "original");
}

async function* verifyDatabase(config: Config): AsyncGenerator<DamageFinding> {
  await using record = await openRecordForCommand(config);
  const { checkRows, files } = record;
  if (checkRows === null || files === null) throw new Error("The record is not in a database");
  for await (const place of checkRows()) if (place !== null) yield findingAt(place);
  const copy = readingCopyFilePath(config);
  if (await pathExists(copy)) {
    for (const place of checkReadingCopyFile(copy)) if (place !== null) yield findingAt(place);
  }
  const find: MediaFileReader = async (name) =>
    (await files.find(`media/${name}`))?.pieces() ?? null;
  for await (const names of mediaNames(record)) yield* verifyFiles(names, find, "original");
  const folder = mediaFolderPath(config);
  yield* verifyFiles(await listMediaFileNames(folder), mediaFileReaderForFolder(folder), "copy");
}

async function* mediaNames(record: OpenRecord): AsyncGenerator<string[]> {
  await using snapshot = record.snapshot();
  for (let after = ""; ; ) {
    const media = await snapshot.media(after, MEDIA_BATCH);
    const last = media.at(-1);
    if (last === undefined) return;
    yield media.map(mediaFileName);
    after = last.id;
  }
}

async function* verifyFiles(
  names: Iterable<string>,
  read: MediaFileReader,
  kind: "original" | "copy",
): AsyncGenerator<DamageFinding> {
  for await (const { name, fault } of findMissingOrDamagedFiles(names, read)) {
    yield { part: "files", place: name, advice: adviceFor(fault, kind) };
  }
}

function adviceFor(fault: MissingOrDamagedFile["fault"], kind: "original" | "copy"): string {
  return kind === "original" ? REPAIR_ADVICE[fault] : REPAIR_ADVICE[`${fault} copy`];
}

function findingAt(place: DamageLocation): DamageFinding {
  const where = formatDamageLocation({ ...place, table: place.table ?? "the whole file" });
  return {
    part: place.part,
    place: where.slice(place.part.length + 2),
    advice: REPAIR_ADVICE[place.part],
  };
}

/** @returns no names if the store is unreadable; `checkStoreFile` reports that damage. */
function originalNames(store: string): string[] {
  try {
    return readSiteAndMediaNames(store).media;
  } catch (error) {
    if (asDamageError(error, "record") === null) throw error;
    return [];
  }
}

function nothingAt(path: string): AppError {
  return new AppError("invalid", englishOnlyWording(`There is no store to verify at ${path}`));
}
