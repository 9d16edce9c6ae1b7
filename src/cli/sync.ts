import { join } from "node:path";
import type { Actor } from "../access/actor.ts";
import { createSiteRedirectOptions } from "../app/site/redirect-options.ts";
import { openMediaFiles, openRecordForCommand } from "../app/store.ts";
import type { ContentRecord } from "../content/record.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { makeFolder } from "../files/durable-files.ts";
import { createFilePublisher } from "../importing/publish-files.ts";
import { openSyncBase, SYNC_BASE_FOLDER } from "../syncing/sync-base.ts";
import {
  createDryRunFolder,
  openSyncFolder,
  removeUnfinishedFiles,
} from "../syncing/sync-folder.ts";
import type { SyncReport } from "../syncing/sync-report.ts";
import { syncFolderWithSite } from "../syncing/syncing.ts";
import {
  formatSyncStepLines,
  formatSyncSummaryLine,
  formatUnresolvedProblemLines,
} from "./sync-lines.ts";
import { syncOnEachChange } from "./sync-watching.ts";
import type { CommandContext } from "./terminal.ts";

export interface SyncFlags {
  dryRun?: boolean;
  prune?: boolean;
  watch?: boolean;
  json?: boolean;
}

const OPERATOR_ACTOR: Actor = { kind: "operator" };

/** `commonplace sync FOLDER`: exit code 0 if no conflict or fault remains, 1 otherwise. */
export async function runSyncCommand(
  path: string,
  flags: SyncFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const siteId = await record.siteId();
  if (siteId === null)
    throw new AppError("conflict", englishOnlyWording("There is no site to compare"));
  const isDryRun = flags.dryRun === true;
  const root = join(path, "content");
  if (!isDryRun) {
    makeFolder(root);
  }
  const hidden = join(path, SYNC_BASE_FOLDER);
  using base = await openSyncBase(hidden, { siteId, isDryRun });
  // A dry run holds no lock, so the unfinished files may belong to a sync that is still running.
  if (!isDryRun) await removeUnfinishedFiles(hidden);
  const openFolder = (folderPath: string) => {
    const opened = openSyncFolder(folderPath, hidden);
    return isDryRun ? createDryRunFolder(opened) : opened;
  };
  const folder = openFolder(root);
  const siteFolder = openFolder(path);
  const runIn = async (content: ContentRecord) => {
    const now = new Date();
    const publisher = createFilePublisher(
      { media: record.media, files: openMediaFiles(config, record) },
      {
        ...{ actor: OPERATOR_ACTOR, now, isDryRun },
        onNotice: (file, { en }) => terminal.err(`${file}: warning: ${en}`),
      },
    );
    return await syncFolderWithSite(
      {
        ...{ content, folder, siteFolder, base, publisher },
        desk: record.desk,
        snapshot: () => record.snapshot(),
        addresses: createSiteRedirectOptions(config),
      },
      OPERATOR_ACTOR,
      { now, isPruning: flags.prune === true, isDryRun },
    );
  };
  const run = () => (isDryRun ? record.dryRun(runIn) : runIn(record.content));
  if (flags.watch === true) {
    await syncOnEachChange(path, { audit: record.audit, run, terminal });
    return 0;
  }
  const report = await run();
  if (flags.json === true) terminal.out(JSON.stringify({ dryRun: isDryRun, ...report }));
  else for (const line of reportLines(report, isDryRun)) terminal.out(line);
  return isSettled(report) ? 0 : 1;
}

function reportLines(report: SyncReport, isDryRun: boolean): string[] {
  return [
    ...formatSyncStepLines(report),
    ...formatUnresolvedProblemLines(report),
    formatSyncSummaryLine(report, isDryRun),
  ];
}

function isSettled({ conflicts, deletedThere, failed }: SyncReport): boolean {
  return conflicts.length + deletedThere.length + failed.length === 0;
}
