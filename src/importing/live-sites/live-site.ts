import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import { AppError, buildWording } from "../../errors.ts";
import { makeFolder } from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";
import { type FileToPack, packZip } from "../../files/zip-packing.ts";
import { translateCopyError } from "../../transfer/fetching/copy-errors.ts";
import { type CopyReport, joinFirstEntries } from "../../transfer/fetching/copy-report.ts";
import { copySite, type SiteCopyStore } from "../../transfer/fetching/copy-site.ts";
import { createSiteRequester } from "../../transfer/fetching/site-requester.ts";
import type { LiveSiteCopier } from "../../transfer/job.ts";
import {
  type FetchedFolder,
  JOURNAL_FILE,
  openFetchedFolder,
  PARTIAL_FILE,
} from "./fetched-folder.ts";
import { copyLiveWordPress, NOT_COPIED_WORDING } from "./live-wordpress.ts";

const FOLDER_PREFIX = "copy-";
/** At one request a second, copying more addresses would delay other jobs for too long. */
const ADDRESSES_MAX = 5000;
/** Limit of all files of a copy together, equal to that of an uploaded file. */
const BYTES_MAX = 1024 ** 3;
const COMPRESSED_FILE = /\.(?:avif|gif|gz|jpe?g|mp[34]|pdf|png|webm|webp|zip|docx|xlsx)$/i;

export interface SiteCopierDependencies {
  /** The folder that contains the latest copy in a subfolder. */
  folder: string;
  /** Version of this program. */
  version: string;
  /** Origin of this site, which imports the copies. */
  origin: string;
  privateNetworks: boolean;
  /** Pause between two requests. */
  pauseMilliseconds: number;
  now: () => Date;
}

/**
 * Copies live sites with the same code as the command line. The latest copy is stored until another
 * site is copied. Therefore an interrupted copy continues, and a repeated copy requests only what
 * has changed.
 */
export function createSiteCopier(parts: SiteCopierDependencies): LiveSiteCopier {
  return async (address, { isWordPress, halt, onCopied, events }) => {
    const requests = createSiteRequester({ ...parts, halt });
    if (isWordPress) return copyLiveWordPress(address, { requests, onCopied, events });
    const folder = joinPathBelow(parts.folder, folderName(address));
    await removeOtherCopies(parts.folder, folderName(address));
    const store = await openFetchedFolder(folder);
    const report = await copySite(address, {
      ...requests,
      store: limitedStore(store, folder),
      addressesMax: ADDRESSES_MAX,
      onProgress: ({ pages, files }) => onCopied({ pages, files }),
    });
    halt.throwIfAborted();
    if (!report.isStopped) await store.end();
    onCopied({ pages: report.pages, files: report.files });
    reportCopy(report, events);
    return packZip(filesOf(folder, new URL(address).host), { at: parts.now() });
  };
}

function folderName(address: string): string {
  return FOLDER_PREFIX + createHash("sha256").update(address).digest("hex").slice(0, 32);
}

async function removeOtherCopies(folder: string, kept: string): Promise<void> {
  makeFolder(folder);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(FOLDER_PREFIX) || name === kept) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

function limitedStore(store: FetchedFolder, folder: string): SiteCopyStore {
  let bytes = namesIn(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return {
    ...store,
    async put(copied, content) {
      bytes += content?.length ?? 0;
      if (bytes > BYTES_MAX) throw tooLarge();
      await store.put(copied, content);
    },
  };
}

function tooLarge(): AppError {
  const limit = BYTES_MAX / 1024 ** 3;
  return new AppError("too_large", {
    en: `The site has more than ${limit} GB of pages and files; copy it with the command line, as "fetch"`,
    de: `Die Website hat mehr als ${limit} GB an Seiten und Dateien: Bitten Sie, wer den Server betreibt, sie mit dem Befehl „fetch“ zu kopieren`,
  });
}

/** Sorted paths of the copied files, with `/` as separator. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ![JOURNAL_FILE, PARTIAL_FILE].includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map((name) => name.split(sep).join("/"))
    .sort();
}

/** Puts all files into one folder, because an import removes the name of a ZIP's only folder. */
async function* filesOf(folder: string, host: string): AsyncGenerator<FileToPack> {
  for (const name of namesIn(folder)) {
    yield {
      name: `${host.replaceAll(":", "-")}/${name}`,
      isCompressed: COMPRESSED_FILE.test(name),
      bytes: () => createReadStream(joinPathBelow(folder, ...name.split("/"))),
    };
  }
}

function reportCopy(report: CopyReport, events: ImportEventHandlers): void {
  for (const { url, reason } of report.failed) {
    events.onProblem({
      ...{ file: url, line: 1, field: "", severity: "error" },
      message: buildWording(
        (language) => `${NOT_COPIED_WORDING[language]}: ${translateCopyError(reason)[language]}`,
      ),
    });
  }
  const leftOut = [...report.leftOut].map(([reason, { count, addresses }]) => ({
    what: buildWording(
      (language) => `${ADDRESSES_LABEL[language]} (${joinFirstEntries(addresses, count)})`,
    ),
    count,
    reason: translateCopyError(reason),
    isContent: false,
  }));
  if (leftOut.length > 0) events.onExportsLeftOut?.(leftOut);
  const hosts = [...report.otherHosts]
    .sort(([, one], [, other]) => other - one)
    .map(([host, count]) => `${host}: ${count}`);
  if (hosts.length > 0) events.onNote?.(elsewhereNote(joinFirstEntries(hosts, hosts.length)));
  if (report.gone.length > 0) {
    events.onNote?.(goneNote(joinFirstEntries(report.gone, report.gone.length)));
  }
  if (report.isWordPress) events.onNote?.(WORDPRESS_NOTE);
  if (report.isStopped) events.onNote?.(STOPPED_NOTE);
}

const ADDRESSES_LABEL = { en: "addresses", de: "Adressen" };
const WORDPRESS_NOTE = {
  en: "This is a WordPress site: check its address again and say so, which brings dates, topics and authors too; so does its own export (Tools > Export), with drafts",
  de: "Dies ist eine Website mit WordPress: Prüfen Sie ihre Adresse noch einmal und geben Sie das an, dann kommen auch Daten, Themen und Autoren mit; ebenso mit deren eigenem Export (Werkzeuge > Daten exportieren), der auch Entwürfe enthält",
};
const STOPPED_NOTE = {
  en: "The host no longer answered, so the copy is not complete: check the address again later, and it goes on from there",
  de: "Der Rechner antwortete nicht mehr, die Kopie ist darum nicht vollständig: Prüfen Sie die Adresse später noch einmal, dann geht es von dort weiter",
};

function elsewhereNote(hosts: string) {
  return {
    en: `Not followed, because they are on other hosts: ${hosts}`,
    de: `Nicht verfolgt, weil sie auf anderen Rechnern liegen: ${hosts}`,
  };
}

function goneNote(addresses: string) {
  return {
    en: `Gone since the earlier copy: ${addresses}. An import deletes nothing; withdraw them here`,
    de: `Seit der früheren Kopie verschwunden: ${addresses}. Ein Import löscht nichts; ziehen Sie sie hier zurück`,
  };
}
