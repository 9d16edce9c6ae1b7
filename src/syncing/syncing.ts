import type { Actor } from "../access/actor.ts";
import type { ContentRecord } from "../content/record.ts";
import type { FilePublisher } from "../importing/publish-files.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import type { SyncBase } from "./sync-base.ts";
import type { SyncFolder } from "./sync-folder.ts";
import { syncOnce } from "./sync-pass.ts";
import { emptyPass, type SyncReport } from "./sync-report.ts";

export interface SyncParts {
  content: ContentRecord;
  snapshot: () => Snapshot;
  folder: SyncFolder;
  base: SyncBase;
  publisher: FilePublisher;
}

export interface SyncOptions {
  now: Date;
  /** Deletes on one side what is deleted on the other. */
  isPruning: boolean;
  /** A dry run sees nothing of what it would do, so that it makes one pass. */
  isDryRun: boolean;
}

/** One pass may affect other items, such as by changing a path that links name. */
const PASSES_MAX = 8;

/**
 * Keeps a folder and the site equal: takes over what changed on one side, merges what changed on both, and
 * reports what only a person can decide. Nothing is overwritten that the other side has not seen.
 */
export async function syncFolderWithSite(
  { content, ...parts }: SyncParts,
  actor: Actor,
  { now, isPruning, isDryRun }: SyncOptions,
): Promise<SyncReport> {
  const steps: SyncReport["steps"][number][] = [];
  const dropped: SyncReport["dropped"][number][] = [];
  for (let pass = 1; ; pass += 1) {
    const types = await content.types();
    const { timeZone = null } = (await content.site()) ?? {};
    const report = await syncOnce(
      { ...parts, content, actor, types, now, timeZone: timeZone ?? "UTC", report: emptyPass() },
      { snapshot: parts.snapshot, isPruning },
    );
    steps.push(...report.steps);
    dropped.push(...report.dropped);
    const isSettled = report.steps.length === 0;
    if (isSettled || isDryRun || pass === PASSES_MAX) return { ...report, steps, dropped };
  }
}
