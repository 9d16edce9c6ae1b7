import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import { AppError, englishOnly } from "../errors.ts";
import { requestPage } from "../transfer/fetching/ask-page.ts";
import type { CopyReport } from "../transfer/fetching/copy-report.ts";
import { copySite } from "../transfer/fetching/copy-site.ts";
import type { PatientRequests } from "../transfer/fetching/request-patiently.ts";
import { VERSION } from "../version.ts";
import { openFetchedFolder } from "./fetched-folder.ts";
import { progressMeter, SILENT_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

export interface FetchFlags {
  /** Seconds between two requests. */
  pause: number;
  addresses: number;
  wordpress?: boolean;
  json?: boolean;
}

const REQUEST_MILLISECONDS_MAX = 60_000;
const BYTES_MAX = 64 * 1024 * 1024;
/** Maximum number of addresses or hosts listed in a line. */
const LISTED_MAX = 5;

/**
 * `commonplace fetch ADDRESS FOLDER`: exit code 0 if every page and file was fetched, 1 if one failed or a limit
 * kept some back.
 */
export async function fetchCommand(
  address: string,
  folder: string,
  flags: FetchFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const start = readAddress(address);
  const store = await openFetchedFolder(folder);
  if (store.isResumed && flags.json !== true)
    terminal.out("Goes on with the copy that was interrupted");
  const meter = flags.json === true ? SILENT_METER : await progressMeter("Copying", terminal);
  let report: CopyReport;
  try {
    report = await copySite(start, {
      ...{ ...patientRequests(config, flags), store, addressesMax: flags.addresses },
      onProgress: ({ pages, files }) => meter.show(0, 0, `${pages} pages, ${files} files`),
    });
  } finally {
    meter.stop();
  }
  if (!report.isStopped) await store.end();
  if (flags.json === true) {
    const { leftOut, elsewhere, ...others } = report;
    const maps = {
      leftOut: Object.fromEntries(leftOut),
      elsewhere: Object.fromEntries(elsewhere),
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
        `Left out ${count}, because ${reason}: ${listed(addresses, count)}`,
    ),
    ...elsewhereLines(report),
    ...(gone.length > 0
      ? [
          `Gone from the site, and removed from the folder: ${listed(gone, gone.length)}. An import deletes nothing: withdraw them on the site`,
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

function elsewhereLines({ elsewhere }: CopyReport): string[] {
  if (elsewhere.size === 0) return [];
  const hosts = [...elsewhere]
    .sort(([, one], [, other]) => other - one)
    .map(([host, count]) => `${count} on ${host}`);
  return [`Not followed, because they are on other hosts: ${listed(hosts, hosts.length)}`];
}

function listed(entries: readonly string[], count: number): string {
  return entries.slice(0, LISTED_MAX).join(", ") + (count > LISTED_MAX ? ", …" : "");
}

/** Requests as this program, one after another. */
export function patientRequests(config: Config, { pause }: FetchFlags): PatientRequests {
  const options = {
    userAgent: `Commonplace/${VERSION} (+${config.origin}; copies its site)`,
    privateNetworks: config.webhookPrivateNetworks,
    milliseconds: REQUEST_MILLISECONDS_MAX,
    bytesMax: BYTES_MAX,
    now: () => new Date(),
  };
  return {
    request: (url, known) => requestPage(url, known, options),
    pause: sleep,
    pauseMilliseconds: pause * 1000,
  };
}

/** @throws {AppError} `invalid` if it is no address of the web. */
export function readAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AppError(
      "invalid",
      englishOnly(`${address} is not an address: give one such as https://example.org/`),
    );
  }
  url.hash = "";
  return url.href;
}
