import type { Actor } from "../access/actor.ts";
import type { RedirectChangeContext } from "../content/addresses/redirect-change-context.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import type { ContentRecord } from "../content/record.ts";
import type { FilePublisher } from "../importing/publish-files.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import type { SettingsPass } from "./settings/settings-group.ts";
import { syncRedirects } from "./settings/sync-redirects.ts";
import { syncSettings } from "./settings/sync-settings.ts";
import type { SyncBase } from "./sync-base.ts";
import type { SyncFolder } from "./sync-folder.ts";
import { runSyncPass } from "./sync-pass.ts";
import { createSyncPassReport, type SyncReport } from "./sync-report.ts";
import { presentSharedItemsAsFiles } from "./together/shared-files.ts";

export interface SyncDependencies {
  content: ContentRecord;
  desk: Pick<ContentDesk, "pathsTo">;
  snapshot: () => Snapshot;
  /** The folder with the files of items. */
  folder: SyncFolder;
  /** The site folder, which contains `site.yaml` and `folder`. */
  siteFolder: SyncFolder;
  addresses: Pick<RedirectChangeContext, "origin" | "isDocument">;
  base: SyncBase;
  publisher: FilePublisher;
}

export interface SyncOptions {
  now: Date;
  /** Whether to propagate deletions to the other side. */
  isPruning: boolean;
  /** A dry run makes a single pass, since it cannot see its own effects. */
  isDryRun: boolean;
}

/**
 * Limit on passes. Another pass may be needed, for example to update links after the path of an
 * item has changed.
 */
const PASSES_MAX = 8;

/**
 * Syncs a folder and the site. Copies a change on one side to the other side, merges changes on both
 * sides, and reports conflicts that only a person can resolve. Never overwrites a change that the other
 * side has not yet received.
 */
export async function syncFolderWithSite(
  { content, siteFolder, addresses, ...parts }: SyncDependencies,
  actor: Actor,
  { now, isPruning, isDryRun }: SyncOptions,
): Promise<SyncReport> {
  let steps: SyncReport["steps"] = [];
  let dropped: SyncReport["dropped"] = [];
  for (let pass = 1; ; pass += 1) {
    const report = createSyncPassReport();
    await syncSettingsFiles({
      pass: { ...parts, content, actor, now, isPruning, report, folder: siteFolder },
      snapshot: parts.snapshot,
      addresses,
    });
    // Read after syncing the settings, so that items can use types that are new in this pass.
    const types = await content.types();
    const { timeZone = null } = (await content.site()) ?? {};
    const folder = presentSharedItemsAsFiles(parts.folder, types);
    await runSyncPass(
      { ...parts, folder, content, actor, types, now, timeZone: timeZone ?? "UTC", report },
      { snapshot: parts.snapshot, isPruning },
    );
    steps = [...steps, ...report.steps];
    dropped = [...dropped, ...report.dropped];
    const isSettled = report.steps.length === 0;
    if (isSettled || isDryRun || pass === PASSES_MAX) return { ...report, steps, dropped };
  }
}

async function syncSettingsFiles({
  pass,
  snapshot: open,
  addresses,
}: { pass: SettingsPass } & Pick<SyncDependencies, "snapshot" | "addresses">): Promise<void> {
  await syncSettings(pass);
  await using snapshot = open();
  await syncRedirects(pass, { redirects: await snapshot.redirects(), addresses });
}
