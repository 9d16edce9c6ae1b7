import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError, englishOnlyWording } from "../errors.ts";
import { createFile, makeFolder, moveDurably, pathExists } from "../files/durable-files.ts";
import { JOURNAL_FILE, PARTIAL_FILE } from "../importing/live-sites/fetched-folder.ts";
import {
  copyWordPress,
  type WordPressCopyReport,
  type WordPressCounts,
} from "../transfer/fetching/wordpress/copy-wordpress.ts";
import { parseSiteUrl } from "../transfer/site-address.ts";
import { type FetchFlags, requesterForCommand } from "./fetch.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

const EXPORT_FILE = "wordpress.xml";

/**
 * `commonplace fetch ADDRESS FOLDER --wordpress`: writes `wordpress.xml`, which `import` reads. Exit code 0
 * if everything was read, 1 otherwise.
 */
export async function runFetchWordPressCommand(
  address: string,
  folder: string,
  flags: FetchFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const start = parseSiteUrl(address);
  makeFolder(folder);
  if (await pathExists(join(folder, JOURNAL_FILE))) throw hasPages(folder);
  const meter =
    flags.json === true ? SILENT_PROGRESS_METER : await createProgressMeter("Copying", terminal);
  const part = join(folder, PARTIAL_FILE);
  await rm(part, { force: true });
  let report: WordPressCopyReport;
  try {
    await using file = await createFile(part);
    report = await copyWordPress(start, {
      ...requesterForCommand(config, flags),
      write: (text) => file.appendFile(text),
      onProgress: (counts) => meter.show(0, 0, countsLine(counts)),
    });
    await file.sync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    meter.stop();
  }
  await moveDurably(part, join(folder, EXPORT_FILE));
  const { posts, ...others } = report;
  if (flags.json === true) {
    terminal.out(JSON.stringify({ ...others, posts: Object.fromEntries(posts) }));
  } else for (const line of linesOf(report, folder)) terminal.out(line);
  return report.failed.length === 0 ? 0 : 1;
}

function linesOf(report: WordPressCopyReport, folder: string): string[] {
  const file = join(folder, EXPORT_FILE);
  return [
    ...report.failed.map(({ from, reason }) => `Not copied: ${from}. ${reason}`),
    `${countsLine(report)} in ${file}`,
    `Take them in with: commonplace import ${file} --media ${join(folder, "uploads")} --fetch --dry-run`,
  ];
}

function countsLine({ posts, files, terms, authors }: WordPressCounts): string {
  const byType = [...posts].map(([type, count]) => `${count} × ${type}`);
  return [...byType, `${files} files`, `${terms} categories and tags`, `${authors} authors`].join(
    ", ",
  );
}

function hasPages(folder: string): AppError {
  const message = `${folder} contains a copy of pages, which would be imported too: name another folder`;
  return new AppError("invalid", englishOnlyWording(message));
}
