import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { makeFolder } from "../../files/durable-files.ts";
import { decrypt } from "../../storage/backup/packed/encryption.ts";
import { unpackBackup } from "../../storage/backup/packed/unpacking.ts";
import {
  ENCRYPTED_BACKUP_EXTENSION,
  isBackupName,
  PACKED_BACKUP_EXTENSION,
} from "../../storage/backup/places/backup-place.ts";
import { explainStorageError } from "../../storage/backup/storage-errors.ts";
import { makeWorkFolder } from "../../storage/backup/work-folder.ts";
import { DATA_FILE_NAMES } from "../data-folder.ts";
import { openBackupPlace, parseS3BackupLocation } from "./places.ts";

const NAMES_SHOWN_MAX = 5;

/** A backup as a folder or a `.db` file. Disposing of it deletes the unpacked files. */
export interface UnpackedBackup extends AsyncDisposable {
  path: string;
}

/**
 * Fetches, decrypts and unpacks a backup into `folder`. Disposing of the result deletes the
 * unpacked files. A backup that is a folder or a `.db` file is used in place.
 *
 * @param identityFile a file with private age keys; null: none.
 * @throws {AppError} `invalid` when the address is not a backup or the backup needs another key;
 * `unavailable` when it cannot be read.
 */
export async function fetchAndUnpackBackup(
  config: Config,
  address: string,
  { identityFile, folder }: { identityFile: string | null; folder: string },
): Promise<UnpackedBackup> {
  if (!isPackedBackup(address)) {
    const mayHoldBackups = isFolder(address) && !existsSync(join(address, DATA_FILE_NAMES.store));
    if (mayHoldBackups) await requireNoBackups(config, address);
    return { path: address, [Symbol.asyncDispose]: async () => {} };
  }
  const isEncrypted = address.endsWith(ENCRYPTED_BACKUP_EXTENSION);
  if (parseS3BackupLocation(address) !== null) await requireBackupName(config, address);
  else if (!existsSync(address)) {
    throw new AppError("invalid", englishOnlyWording(`Cannot read ${address}: it does not exist`));
  }
  const packed = openBackupPlace(config, dirname(address)).read(basename(address));
  const content = isEncrypted
    ? await decrypt(packed, {
        label: address,
        identityFile: requireIdentity(address, identityFile),
      })
    : packed;
  makeFolder(folder);
  try {
    await using opened = new AsyncDisposableStack();
    const work = opened.use(await makeWorkFolder(folder));
    const path = join(work.path, "backup");
    makeFolder(path);
    await unpackBackup(content, path, { label: address, names: DATA_FILE_NAMES });
    const owned = opened.move();
    return { path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } catch (error) {
    throw explainStorageError(error, englishOnlyWording(`Cannot unpack ${address} into ${folder}`));
  }
}

/** Whether the backup has to be fetched, decrypted or unpacked before it can be read. */
export function isPackedBackup(address: string): boolean {
  const isFile =
    address.endsWith(PACKED_BACKUP_EXTENSION) || address.endsWith(ENCRYPTED_BACKUP_EXTENSION);
  return isFile || parseS3BackupLocation(address) !== null;
}

/**
 * @throws {AppError} `invalid`, naming the latest backups, if `address` is a place that holds backups
 *   rather than a single backup.
 */
async function requireBackupName(config: Config, address: string): Promise<void> {
  if (address.endsWith(PACKED_BACKUP_EXTENSION) || address.endsWith(ENCRYPTED_BACKUP_EXTENSION))
    return;
  throw backupNotNamed(address, await latestBackups(config, address));
}

/** @throws {AppError} `invalid`, naming the latest backups, if the folder contains backups. */
async function requireNoBackups(config: Config, folder: string): Promise<void> {
  const latest = await latestBackups(config, folder);
  if (latest.length > 0) throw backupNotNamed(folder, latest);
}

async function latestBackups(config: Config, address: string): Promise<string[]> {
  const place = openBackupPlace(config, address);
  const names = (await place.names()).filter(isBackupName).sort().reverse();
  return names.slice(0, NAMES_SHOWN_MAX).map((name) => `${place.address}/${name}`);
}

function backupNotNamed(place: string, latest: readonly string[]): AppError {
  const what = latest.length === 0 ? "there is none" : `latest first: ${latest.join(", ")}`;
  return new AppError("invalid", englishOnlyWording(`Name one backup in ${place}: ${what}`));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function requireIdentity(address: string, identityFile: string | null): string {
  if (identityFile !== null) return identityFile;
  throw new AppError(
    "invalid",
    englishOnlyWording(
      `${address} is encrypted: add --identity FILE, the file with the private key`,
    ),
  );
}
