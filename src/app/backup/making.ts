import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { listFolderEntryNames, makeFolder, syncFolder } from "../../files/durable-files.ts";
import { claimStagingPath, clearAbandonedStagingFiles } from "../../files/staging.ts";
import { encrypt } from "../../storage/backup/packed/encryption.ts";
import { packBackup } from "../../storage/backup/packed/packing.ts";
import {
  type BackupPlace,
  type BackupRetention,
  backupName,
  ENCRYPTED_BACKUP_EXTENSION,
  isBackupName,
  PACKED_BACKUP_EXTENSION,
  selectBackupsToRemove,
} from "../../storage/backup/places/backup-place.ts";
import { createFolderBackupPlace } from "../../storage/backup/places/folder-place.ts";
import { makeWorkFolder } from "../../storage/backup/work-folder.ts";
import {
  type BackupOptions,
  type BackupOutcome,
  backupNameTakenError,
} from "../../storage/backup/write-backup.ts";
import {
  backUpDataFolder,
  DATA_FILE_NAMES,
  noteBackupForHealthChecks,
  restoreDataFolder,
} from "../data-folder.ts";
import { type DamageFinding, findDamage } from "../verifying.ts";
import { lockBackups, requireExistingDataFolder } from "./locking.ts";
import { openBackupPlace, parseS3BackupLocation } from "./places.ts";

const PROOF_PREFIX = ".commonplace-proof-";
/** Added to the name of a backup that failed its trial, so that rotations ignore it. */
const UNPROVEN_SUFFIX = "-unproven";
const FAULTS_SHOWN_MAX = 3;

export interface CompletedBackup extends BackupOutcome {
  /** Path or S3 address of the new backup. */
  place: string;
  /** Names of the backups that were removed. */
  removed: readonly string[];
  /** Whether the backup was recorded for the health checks; false if the data folder cannot be written. */
  isRecorded: boolean;
  /** Whether a trial restore succeeded. */
  isProven: boolean;
}

type MakingOptions = Omit<BackupOptions, "version">;

/**
 * Makes one backup at the path `to`: a folder, a `.db` file with only the store, or a packed `.tar` or
 * `.tar.age` file.
 */
export async function backUpToPath(
  config: Config,
  to: string,
  options: MakingOptions,
): Promise<CompletedBackup> {
  const isEncrypted = to.endsWith(ENCRYPTED_BACKUP_EXTENSION);
  requireEncryption(config, to, isEncrypted);
  if (!isEncrypted && !to.endsWith(PACKED_BACKUP_EXTENSION)) {
    const written = await backUpDataFolder(config, to, options);
    return {
      ...written,
      place: to,
      removed: [],
      isRecorded: await noteBackupForHealthChecks(config, to, options.now),
      isProven: false,
    };
  }
  if (existsSync(to)) {
    throw backupNameTakenError(to);
  }
  await using staged = await stageTestedBackup(config, options);
  const place = createFolderBackupPlace(dirname(to));
  makeFolder(dirname(to));
  await storeBackup(config, place, { name: basename(to), folder: staged.folder });
  const isRecorded = await noteBackupForHealthChecks(config, to, options.now);
  return { ...staged.written, place: to, removed: [], isRecorded, isProven: true };
}

/**
 * Makes a backup in a folder of backups or an S3 bucket, tests it by restoring it, and then removes
 * the backups that `rotation` does not keep. Nothing is removed if a step fails.
 *
 * @param rotation how many backups to keep; null: keeps all.
 * @throws {AppError} `unavailable` when the backup cannot be restored or is damaged. A damaged backup in a
 * folder is kept for inspection, under a name that the rotation ignores; only the latest of them stays.
 */
export async function makeAndTestBackup(
  config: Config,
  into: string,
  options: MakingOptions & { rotation: BackupRetention | null },
): Promise<CompletedBackup> {
  if (!isPackedIn(config, into)) return await makeAndTestBackupWithoutLock(config, into, options);
  await using _lock = await lockBackups(config);
  return await makeAndTestBackupWithoutLock(config, into, options);
}

function isPackedIn({ backup }: Config, into: string): boolean {
  return backup.recipients.length > 0 || parseS3BackupLocation(into) !== null;
}

/**
 * As {@link makeAndTestBackup}, but takes no lock. For a packed backup, the caller must hold {@link lockBackups}.
 */
export async function makeAndTestBackupWithoutLock(
  config: Config,
  into: string,
  { rotation, ...options }: MakingOptions & { rotation: BackupRetention | null },
): Promise<CompletedBackup> {
  const place = openBackupPlace(config, into);
  const name = backupName(options.now);
  const { written, name: madeName } = isPackedIn(config, into)
    ? await backUpPacked(config, place, { name, ...options })
    : await backUpUnpacked(config, into, { name, ...options });
  const madePlace =
    parseS3BackupLocation(into) === null ? join(into, madeName) : `${place.address}/${madeName}`;
  const isRecorded = await noteBackupForHealthChecks(config, madePlace, options.now);
  const removed =
    rotation === null ? [] : selectBackupsToRemove(await place.names(), rotation, madeName);
  for (const oldName of removed) await place.remove(oldName);
  await place.clearAbandoned();
  return { ...written, place: madePlace, removed, isRecorded, isProven: true };
}

async function backUpUnpacked(
  config: Config,
  folder: string,
  { name, ...options }: MakingOptions & { name: string },
): Promise<{ written: BackupOutcome; name: string }> {
  const place = join(folder, name);
  const kept = `${place}${UNPROVEN_SUFFIX}`;
  const written = await backUpDataFolder(config, place, options);
  try {
    await proveRestorable(config, place, { kept, written, now: options.now });
  } catch (error) {
    await rename(place, kept);
    await syncFolder(folder);
    await removeUnprovenBefore(folder, name);
    throw error;
  }
  return { written, name };
}

/** A failed backup is tried again every hour: keeping each of them would fill the disk. */
async function removeUnprovenBefore(folder: string, name: string): Promise<void> {
  for (const found of await listFolderEntryNames(folder)) {
    const backup = found.slice(0, -UNPROVEN_SUFFIX.length);
    if (found !== backup + UNPROVEN_SUFFIX || !isBackupName(backup) || backup >= name) continue;
    await rm(join(folder, found), { recursive: true, force: true });
  }
}

async function backUpPacked(
  config: Config,
  place: BackupPlace,
  { name, ...options }: MakingOptions & { name: string },
): Promise<{ written: BackupOutcome; name: string }> {
  await using staged = await stageTestedBackup(config, options);
  const isEncrypted = config.backup.recipients.length > 0;
  const fileName = name + (isEncrypted ? ENCRYPTED_BACKUP_EXTENSION : PACKED_BACKUP_EXTENSION);
  await place.clearAbandoned();
  await storeBackup(config, place, { name: fileName, folder: staged.folder });
  return { written: staged.written, name: fileName };
}

interface StagedBackup extends AsyncDisposable {
  folder: string;
  written: BackupOutcome;
}

/**
 * Makes a temporary backup in the data folder and tests it by restoring it. The backup is not encrypted yet,
 * because testing an encrypted backup requires the private key, which is not on this machine.
 */
async function stageTestedBackup(config: Config, options: MakingOptions): Promise<StagedBackup> {
  const { dataDir } = config;
  requireExistingDataFolder(config);
  await using opened = new AsyncDisposableStack();
  const work = opened.use(await makeWorkFolder(dataDir));
  const folder = join(work.path, randomUUID());
  const written = await backUpDataFolder(config, folder, options);
  await proveRestorable(config, folder, { kept: null, written, now: options.now });
  const owned = opened.move();
  return { folder, written, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * Writes a packed backup to its place (a folder or an S3 bucket), encrypted if there are recipients. Then
 * reads the stored backup to check it.
 */
async function storeBackup(
  { backup: { recipients } }: Config,
  place: BackupPlace,
  { name, folder }: { name: string; folder: string },
): Promise<void> {
  const packed = await packBackup(folder, DATA_FILE_NAMES);
  const content =
    recipients.length === 0 ? packed.content : await encrypt(packed.content, recipients);
  const writtenHash = createHash("sha256");
  // Allows for encryption, which adds a header and 16 bytes to each 64 KiB.
  const bytesMax = Math.ceil(packed.bytes * 1.001) + 1024 * 1024;
  await place.write(name, hashed(content, writtenHash), bytesMax);
  const readHash = createHash("sha256");
  try {
    let bytes = 0;
    for await (const piece of place.read(name)) {
      readHash.update(piece);
      bytes += piece.length;
      if (bytes > bytesMax) break;
    }
  } catch (error) {
    // Removes the backup, so that the rotation does not count an unreadable backup.
    await place.remove(name).catch(() => {});
    throw error;
  }
  if (readHash.digest("hex") === writtenHash.digest("hex")) return;
  await place.remove(name);
  throw new AppError("unavailable", {
    en: `${place.address} gave back other bytes for ${name} than were written there. No older backup was removed`,
    de: `${place.address} gab für ${name} andere Bytes zurück, als dort geschrieben wurden. Es wurde keine ältere Sicherung entfernt`,
  });
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

/** Prevents unencrypted backups once recipients are configured. */
function requireEncryption({ backup }: Config, to: string, isEncrypted: boolean): void {
  const hasRecipients = backup.recipients.length > 0;
  if (isEncrypted === hasRecipients) return;
  const message = isEncrypted
    ? `Cannot encrypt ${to}: set BACKUP_RECIPIENTS to public keys of age`
    : `Backups are encrypted for BACKUP_RECIPIENTS: name a file that ends in ${ENCRYPTED_BACKUP_EXTENSION}, or add --keep`;
  throw new AppError("invalid", englishOnlyWording(message));
}

async function proveRestorable(
  config: Config,
  place: string,
  { kept, written, now }: { kept: string | null; written: BackupOutcome; now: Date },
): Promise<void> {
  const folder = dirname(place);
  await clearAbandonedStagingFiles(folder, PROOF_PREFIX);
  await using proof = await claimStagingPath(folder, PROOF_PREFIX);
  try {
    makeFolder(proof.path);
    const trialConfig = { ...config, dataDir: proof.path };
    await restoreDataFolder(trialConfig, place, { replaces: false, isDryRun: false, now });
    const known = new Set([...written.damaged, ...written.missing]);
    const faults: DamageFinding[] = [];
    for await (const finding of findDamage(trialConfig, null)) {
      if (finding.part !== "files" || !known.has(finding.place)) faults.push(finding);
    }
    if (faults.length > 0) throw trialFailed(kept, faults);
  } finally {
    await proof.discard();
  }
}

/**
 * Returns the error for a failed trial restore. `kept` is the path under which the damaged backup
 * was kept for inspection; null: it was not kept.
 */
function trialFailed(kept: string | null, faults: readonly DamageFinding[]): AppError {
  const shown = faults.slice(0, FAULTS_SHOWN_MAX).map((fault) => `${fault.part} ${fault.place}`);
  return new AppError("unavailable", {
    en: `The backup${kept === null ? "" : ` at ${kept}`} was restored for a trial and is damaged in ${faults.length} places: ${shown.join(", ")}. No older backup was removed`,
    de: `Die Sicherung${kept === null ? "" : ` unter ${kept}`} wurde zur Probe wiederhergestellt und ist an ${faults.length} Stellen beschädigt: ${shown.join(", ")}. Es wurde keine ältere Sicherung entfernt`,
  });
}
