import { backUpToConfiguredPlaces } from "../app/backup/configured.ts";
import { backUpToPath, type CompletedBackup, makeAndTestBackup } from "../app/backup/making.ts";
import { parseS3BackupLocation } from "../app/backup/places.ts";
import type { Config } from "../config.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import { summarizeNames } from "./summarize-names.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export interface BackupFlags {
  keep?: number;
  keepWeekly?: number;
  json?: boolean;
}

type MakingOptions = Parameters<typeof backUpToPath>[2];

/**
 * `commonplace backup [PLACE]`: can run while the server is up. PLACE is the path of the new backup. With
 * `--keep`, or if PLACE is in a bucket, PLACE holds several backups. `--keep` removes old backups. Without
 * PLACE, makes the server's daily backup.
 */
export async function runBackupCommand(
  to: string | undefined,
  flags: BackupFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  // An unset variable of a script, as in `backup "$PLACE"`, would otherwise name the working folder.
  if (to === "")
    throw new AppError("invalid", englishOnlyWording("Name a place: the one given is empty"));
  const { json = false } = flags;
  const meter = json
    ? SILENT_PROGRESS_METER
    : await createProgressMeter("Copying the store", terminal);
  const onShare = (share: number) => meter.show(share, 1, `${Math.floor(100 * share)} %`);
  const options = { onShare, now: new Date() };
  const show = (made: CompletedBackup) =>
    json ? showJson(made, terminal) : showText(made, terminal);
  if (to === undefined) {
    requireNoRotation(flags);
    await backUpToConfiguredPlaces(config, options, show).finally(meter.stop);
  } else {
    show(await backUpTo(config, to, { flags, options }).finally(meter.stop));
  }
  return 0;
}

async function backUpTo(
  config: Config,
  to: string,
  { flags: { keep, keepWeekly = 0 }, options }: { flags: BackupFlags; options: MakingOptions },
): Promise<CompletedBackup> {
  if (keep === undefined && keepWeekly > 0) {
    throw new AppError(
      "invalid",
      englishOnlyWording("Cannot use --keep-weekly alone: it goes with --keep"),
    );
  }
  if (keep === undefined && parseS3BackupLocation(to) === null)
    return await backUpToPath(config, to, options);
  const rotation = keep === undefined ? null : { latest: keep, weekly: keepWeekly };
  return await makeAndTestBackup(config, to, { ...options, rotation });
}

function requireNoRotation({ keep, keepWeekly }: BackupFlags): void {
  if (keep === undefined && keepWeekly === undefined) return;
  throw new AppError(
    "invalid",
    englishOnlyWording("Name a place for --keep: without one, BACKUP_KEEP says how many stay"),
  );
}

function showJson({ place, isRecorded, ...written }: CompletedBackup, terminal: Terminal): void {
  warn({ ...written, isRecorded }, terminal);
  terminal.out(JSON.stringify({ path: place, ...written }));
}

function showText(made: CompletedBackup, terminal: Terminal): void {
  warn(made, terminal);
  const { place, bytes, media, isProven, removed } = made;
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const files = media === null ? "the store alone, without the site's files" : `${media} files`;
  const how = isProven ? "restored for a trial" : "checked";
  terminal.out(`Backed up to ${place}: ${size} and ${how}; ${files}`);
  if (removed.length > 0) terminal.out(`Removed: ${summarizeNames(removed)}`);
}

function warn(
  { damaged, missing, isRecorded }: Pick<CompletedBackup, "damaged" | "missing" | "isRecorded">,
  terminal: Terminal,
): void {
  if (damaged.length > 0) {
    const names = summarizeNames(damaged);
    terminal.err(`warning: damaged in the media folder, and in the backup as they are: ${names}`);
  }
  if (missing.length > 0) {
    const names = summarizeNames(missing);
    terminal.err(`warning: missing in the media folder, though the store names them: ${names}`);
  }
  if (!isRecorded) {
    terminal.err("warning: DATA_DIR takes no file, so that doctor will not know of this backup");
  }
}
