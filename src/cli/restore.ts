import { createTrialDataFolder } from "../app/backup/trial-folder.ts";
import { fetchAndUnpackBackup, isPackedBackup } from "../app/backup/unpacked.ts";
import { requireRestorableDataFolder, restoreDataFolder } from "../app/data-folder.ts";
import type { Config } from "../config.ts";
import { summarizeNames } from "./summarize-names.ts";
import type { CommandContext } from "./terminal.ts";

export interface RestoreFlags {
  force?: boolean;
  identity?: string;
  dryRun?: boolean;
  json?: boolean;
}

type ChangesSinceBackup = NonNullable<
  Awaited<ReturnType<typeof restoreDataFolder>>["writtenSince"]
>;

/** `commonplace restore BACKUP`: restores a backup into the data folder. */
export async function runRestoreCommand(
  from: string,
  { force = false, identity, dryRun = false, json = false }: RestoreFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const { dataDir } = config;
  const options = { replaces: force, isDryRun: dryRun, now: new Date() };
  const restored = await restoreFrom(config, from, { ...options, identityFile: identity ?? null });
  const { made, media, missing, damaged, replaced, writtenSince } = restored;
  if (missing.length > 0) {
    terminal.err(`warning: missing, though the store names them: ${summarizeNames(missing)}`);
  }
  if (damaged.length > 0) terminal.err(`warning: damaged: ${summarizeNames(damaged)}`);
  if (json) {
    terminal.out(JSON.stringify({ path: dataDir, ...restored }));
    return 0;
  }
  const what = media === null ? "the store" : `the store and ${media} files`;
  const origin = made === null ? "" : `, backed up at ${made.at} by version ${made.version}`;
  terminal.out(`${dryRun ? "Would restore" : "Restored"} ${what} into ${dataDir}${origin}`);
  if (made === null) {
    terminal.out("The backup has no manifest: its store was checked, its files were not compared");
  }
  if (media === null)
    terminal.out("The backup has no files of the site: those that are there stay");
  if (replaced !== null) {
    terminal.out(
      dryRun
        ? `What is there would be kept in ${replaced}`
        : `What was there is now in ${replaced}; delete it when you are sure`,
    );
  }
  if (writtenSince !== null) for (const line of changeLines(writtenSince)) terminal.out(line);
  return 0;
}

async function restoreFrom(
  config: Config,
  from: string,
  {
    identityFile,
    ...options
  }: Parameters<typeof restoreDataFolder>[2] & { identityFile: string | null },
): ReturnType<typeof restoreDataFolder> {
  using _trial = options.isDryRun ? createTrialDataFolder(config.dataDir) : null;
  if (isPackedBackup(from)) await requireRestorableDataFolder(config, options);
  await using backup = await fetchAndUnpackBackup(config, from, {
    identityFile,
    folder: config.dataDir,
  });
  return await restoreDataFolder(config, backup.path, options);
}

/** Lists the changes that were made after the backup, so that editors can make the same changes again. */
function changeLines({
  listed,
  changes,
  messages,
  keyRequests,
  drafts,
}: ChangesSinceBackup): string[] {
  const counts: [count: number, what: string][] = [
    [changes, "audited changes"],
    [messages, "messages"],
    [keyRequests, "requests for keys"],
    [drafts, "drafts"],
  ];
  const listedCounts = counts.flatMap(([count, what]) => (count === 0 ? [] : `${what}: ${count}`));
  if (listedCounts.length === 0) return ["Nothing was written since the backup"];
  const more = changes - listed.length;
  return [
    `Written since the backup, and not in it: ${listedCounts.join(", ")}`,
    ...listed.map(({ at, actor, action, target }) => `  ${at} ${action} ${target} by ${actor}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
