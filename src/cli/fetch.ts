import type { Config } from "../config.ts";
import { openFetchedFolder } from "../importing/live-sites/fetched-folder.ts";
import { type CopyReport, joinFirstEntries } from "../transfer/fetching/copy-report.ts";
import { copySite } from "../transfer/fetching/copy-site.ts";
import type { PoliteRequester } from "../transfer/fetching/request-politely.ts";
import { createSiteRequester } from "../transfer/fetching/site-requester.ts";
import { parseSiteUrl } from "../transfer/site-address.ts";
import { VERSION } from "../version.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

export interface FetchFlags {
  /** Seconds between two requests. */
  pause: number;
  addresses: number;
  wordpress?: boolean;
  json?: boolean;
}

/**
 * `commonplace fetch ADDRESS FOLDER`: exit code 0 if every page and file was fetched, 1 if one failed or was
 * left out because of a limit.
 */
export async function runFetchCommand(
  address: string,
  folder: string,
  flags: FetchFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const start = parseSiteUrl(address);
  const store = await openFetchedFolder(folder);
  if (store.isResumed && flags.json !== true)
    terminal.out("Goes on with the copy that was interrupted");
  const meter =
    flags.json === true ? SILENT_PROGRESS_METER : await createProgressMeter("Copying", terminal);
  let report: CopyReport;
  try {
    report = await copySite(start, {
      ...{ ...requesterForCommand(config, flags), store, addressesMax: flags.addresses },
      onProgress: ({ pages, files }) => meter.show(0, 0, `${pages} pages, ${files} files`),
    });
  } finally {
    meter.stop();
  }
  if (!report.isStopped) await store.end();
  if (flags.json === true) {
    const { leftOut, otherHosts, ...others } = report;
    const maps = {
      leftOut: Object.fromEntries(leftOut),
      elsewhere: Object.fromEntries(otherHosts),
    };
    terminal.out(JSON.stringify({ ...others, ...maps }));
  } else for (const line of linesOf(report, folder)) terminal.out(line);
  return report.failed.length === 0 && !report.isCut ? 0 : 1;
}

function linesOf(report: CopyReport, folder: string): string[] {
  const { pages, files, redirects, unchanged, failed, gone, leftOut } = report;
  return [
    ...failed.map(({ url, reason }) => `Not copied: ${url}. ${reason}`),
    ...[...leftOut].map(
      ([reason, { count, addresses }]) =>
        `Left out ${count}, because ${reason}: ${joinFirstEntries(addresses, count)}`,
    ),
    ...otherHostLines(report),
    ...(gone.length > 0
      ? [
          `Gone from the site, and removed from the folder: ${joinFirstEntries(gone, gone.length)}. An import deletes nothing: withdraw them on the site`,
        ]
      : []),
    ...(report.isWordPress
      ? [
          "This is a WordPress site: with --wordpress, and another folder, its texts come with their dates, topics and authors",
        ]
      : []),
    ...(report.isStopped ? ["The copy is not complete: run it again later to go on"] : []),
    `${pages} pages, ${files} files, ${redirects} redirects; ${unchanged} unchanged, ${failed.length} failed`,
    `Take them in with: commonplace import ${folder} --dry-run`,
  ];
}

function otherHostLines({ otherHosts }: CopyReport): string[] {
  if (otherHosts.size === 0) return [];
  const hosts = [...otherHosts]
    .sort(([, one], [, other]) => other - one)
    .map(([host, count]) => `${count} on ${host}`);
  return [
    `Not followed, because they are on other hosts: ${joinFirstEntries(hosts, hosts.length)}`,
  ];
}

/** Returns the HTTP client for `commonplace fetch`. It sends one request at a time. */
export function requesterForCommand(config: Config, { pause }: FetchFlags): PoliteRequester {
  return createSiteRequester({
    ...{ version: VERSION, origin: config.origin, privateNetworks: config.webhookPrivateNetworks },
    pauseMilliseconds: pause * 1000,
  });
}
