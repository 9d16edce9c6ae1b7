import { appendFile, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deriveSitePath } from "../../content/import/file-path.ts";
import { createFile, makeFolder, moveDurably, pathExists } from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";
import { isUrlPathPreserved } from "../../transfer/fetching/copied-addresses.ts";
import { type JournalLine, parseJournalLine } from "../../transfer/fetching/copy-journal.ts";
import type { SiteCopyStore, UrlCopyOutcome } from "../../transfer/fetching/copy-site.ts";

/**
 * Journal of the copy. Imports skip this file, because it is hidden. The journal has a line for each
 * address, and for the start and the end of each copy.
 */
export const JOURNAL_FILE = ".fetched.jsonl";
/** The file being written. After a crash, this file remains; the next copy replaces it. */
export const PARTIAL_FILE = ".fetched.part";
const REDIRECTS_FILE = "redirects.csv";

/** A copy of a site in a folder. */
export interface FetchedFolder extends SiteCopyStore {
  /** Whether this copy continues an interrupted copy. */
  isResumed: boolean;
  /** Writes the list of redirects and marks the copy as complete. */
  end(): Promise<void>;
}

/** Opens the folder of a copy; creates it if missing. */
export async function openFetchedFolder(folder: string): Promise<FetchedFolder> {
  makeFolder(folder);
  const journal = join(folder, JOURNAL_FILE);
  const { allCopied, latestUrls, isResumed, isTorn } = await readJournal(journal);
  const urlByFile = new Map([...allCopied.values()].map(({ url, file }) => [file, url]));
  const appendLine = (line: JournalLine) =>
    appendFile(journal, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  // Completes a truncated last line, so that the next line is not read as part of it.
  if (isTorn) await appendFile(journal, "\n");
  if (!isResumed) await appendLine({ copy: "begins" });
  return {
    isResumed,
    known: (url) => allCopied.get(url),
    isOfThisCopy: (url) => latestUrls.has(url),
    earlierFiles: () =>
      [...allCopied.values()].filter(({ url, file }) => file !== undefined && !latestUrls.has(url)),
    async validators(url) {
      const { file, etag, lastModified } = allCopied.get(url) ?? {};
      if (file === undefined || !(await pathExists(pathInFolder(folder, file)))) return {};
      return {
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
      };
    },
    async read(file) {
      const path = pathInFolder(folder, file);
      return (await pathExists(path)) ? await readFile(path) : null;
    },
    async put(given, content) {
      const { url } = given;
      const copied = content === null ? given : await placed(folder, given);
      const former = allCopied.get(url)?.file;
      if (content !== null && copied.file !== undefined) {
        await writeContent(folder, copied.file, content);
      }
      // The former file is removed before the journal records the outcome, so that a resumed copy
      // repeats the removal.
      if (former !== undefined && former !== copied.file && urlByFile.get(former) === url) {
        await rm(pathInFolder(folder, former), { force: true });
      }
      allCopied.set(url, copied);
      if (copied.file !== undefined) urlByFile.set(copied.file, url);
      latestUrls.add(url);
      await appendLine(copied);
    },
    async end() {
      const copied = [...latestUrls].flatMap((url) => allCopied.get(url) ?? []);
      const rows = redirectRows(copied);
      if (rows.length > 0) await writeContent(folder, REDIRECTS_FILE, csvTable(rows));
      else await rm(join(folder, REDIRECTS_FILE), { force: true });
      await appendLine({ copy: "ends" });
    },
  };
}

/**
 * `allCopied`: all addresses ever copied, keyed by URL. `latestUrls`: the URLs of the latest copy.
 * `isResumed`: whether the latest copy was interrupted. `isTorn`: whether the journal's last line is
 * truncated.
 */
async function readJournal(path: string) {
  const allCopied = new Map<string, UrlCopyOutcome>();
  let latestUrls = new Set<string>();
  let isResumed = false;
  const text = (await pathExists(path)) ? await readFile(path, "utf8") : "";
  for (const line of text.split("\n")) {
    const entry = parseJournalLine(line);
    if (entry === null) continue;
    if ("copy" in entry) {
      isResumed = entry.copy === "begins";
      latestUrls = new Set();
    } else {
      allCopied.set(entry.url, entry);
      latestUrls.add(entry.url);
    }
  }
  const isTorn = text !== "" && !text.endsWith("\n");
  return { allCopied, latestUrls, isResumed, isTorn };
}

/**
 * Finds a free path for a file. A site can have pages below the address of a page, but a folder has
 * no files below a file. A `~` is appended to names in use: `a~/b.html` if `a` is a file, and
 * `a~.html` if `a.html` is a folder.
 */
async function placed(folder: string, copied: UrlCopyOutcome): Promise<UrlCopyOutcome> {
  if (copied.file === undefined) return copied;
  const names = copied.file.split("/");
  const place: string[] = [];
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1;
    let free = name;
    while (await isTaken(pathInFolder(folder, [...place, free].join("/")), isLast)) {
      free = free.replace(/(?=(?:\.html?)?$)/i, "~");
    }
    place.push(free);
  }
  return { ...copied, file: place.join("/") };
}

/** True if a folder is where a file is needed, or a file where a folder is needed. */
async function isTaken(path: string, isForFile: boolean): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.isDirectory() === isForFile;
}

function pathInFolder(folder: string, file: string): string {
  return joinPathBelow(folder, ...file.split("/"));
}

async function writeContent(
  folder: string,
  name: string,
  content: Uint8Array | string,
): Promise<void> {
  const path = pathInFolder(folder, name);
  makeFolder(dirname(path));
  const part = join(folder, PARTIAL_FILE);
  await rm(part, { force: true });
  await using file = await createFile(part);
  await file.writeFile(content);
  await file.sync();
  await moveDurably(part, path);
}

/** Redirects from former addresses that no imported page has. */
function redirectRows(copied: readonly UrlCopyOutcome[]): [from: string, to: string][] {
  const byUrl = new Map(copied.map((one) => [one.url, one]));
  return copied.flatMap((one): [string, string][] => {
    const from = new URL(one.url).pathname;
    if (one.file !== undefined) {
      const isMoved = one.isPage === true && !isUrlPathPreserved(one.url, one.file);
      return isMoved ? [[from, deriveSitePath(one.file)]] : [];
    }
    const to = redirectTarget(one, byUrl);
    return to === null || to === from ? [] : [[from, to]];
  });
}

/** The final target of redirects; null: the redirects form a loop. */
function redirectTarget(
  start: UrlCopyOutcome,
  byUrl: ReadonlyMap<string, UrlCopyOutcome>,
): string | null {
  const seen = new Set<string>();
  let url = start.leadsTo ?? start.url;
  for (let next = byUrl.get(url); next?.leadsTo !== undefined; next = byUrl.get(url)) {
    if (seen.has(url)) return null;
    seen.add(url);
    url = next.leadsTo;
  }
  const found = byUrl.get(url);
  const isHere = new URL(url).origin === new URL(start.url).origin;
  if (found?.isPage === true && found.file !== undefined) return deriveSitePath(found.file);
  return isHere ? new URL(url).pathname : url;
}

function csvTable(rows: readonly (readonly [string, string])[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return `from,to\n${rows.map(([from, to]) => `${cell(from)},${cell(to)}\n`).join("")}`;
}
