import { backUp, noteMadeBackup } from "../app/data-folder.ts";
import { backUpInto } from "../app/kept-backups.ts";
import type { Config } from "../config.ts";
import { AppError, englishOnly } from "../errors.ts";
import { progressMeter, SILENT_METER } from "./progress-meter.ts";
import { summarizeNames } from "./summarize-names.ts";
import type { CommandContext } from "./terminal.ts";

export interface BackupFlags {
  keep?: number;
  keepWeekly?: number;
  json?: boolean;
}

/**
 * `commonplace backup PLACE`: can run while the server is up. With `--keep`, the place is a folder of
 * backups, of which the latest stay.
 */
export async function backupCommand(
  to: string,
  { keep, keepWeekly = 0, json = false }: BackupFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  if (keep === undefined && keepWeekly > 0) {
    throw new AppError(
      "invalid",
      englishOnly("Cannot use --keep-weekly alone: it goes with --keep"),
    );
  }
  const meter = json ? SILENT_METER : await progressMeter("Copying the store", terminal);
  const onShare = (share: number) => meter.show(share, 1, `${Math.floor(100 * share)} %`);
  const options = { onShare, now: new Date() };
  const made =
    keep === undefined
      ? backUpOnce(config, to, options)
      : backUpInto(config, to, { ...options, rotation: { latest: keep, weekly: keepWeekly } });
  const { isNoted, place, removed, ...written } = await made.finally(meter.stop);
  const { bytes, media, damaged, missing } = written;
  if (damaged.length > 0) {
    const names = summarizeNames(damaged);
    terminal.err(`warning: damaged in the media folder, and in the backup as they are: ${names}`);
  }
  if (missing.length > 0) {
    const names = summarizeNames(missing);
    terminal.err(`warning: missing in the media folder, though the store names them: ${names}`);
  }
  if (!isNoted) {
    terminal.err("warning: DATA_DIR takes no file, so that doctor will not know of this backup");
  }
  if (json) {
    terminal.out(JSON.stringify({ path: place, ...written, removed }));
    return 0;
  }
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const files = media === null ? "the store alone, without the site's files" : `${media} files`;
  const how = keep === undefined ? "checked" : "restored for a trial";
  terminal.out(`Backed up to ${place}: ${size} and ${how}; ${files}`);
  if (removed.length > 0) terminal.out(`Removed: ${summarizeNames(removed)}`);
  return 0;
}

async function backUpOnce(config: Config, place: string, options: Parameters<typeof backUp>[2]) {
  const written = await backUp(config, place, options);
  const isNoted = await noteMadeBackup(config, place, options.now);
  const removed: string[] = [];
  return { ...written, isNoted, place, removed };
}
