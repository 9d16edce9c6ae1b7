import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import { AppError, buildWording, type Wording } from "../../errors.ts";
import { createFile } from "../../files/durable-files.ts";
import { makeTemporaryFolder } from "../../files/temporary-folder.ts";
import { translateCopyError } from "../../transfer/fetching/copy-errors.ts";
import type { PoliteRequester } from "../../transfer/fetching/request-politely.ts";
import {
  copyWordPress,
  type WordPressCopyReport,
  type WordPressCounts,
} from "../../transfer/fetching/wordpress/copy-wordpress.ts";
import type { LiveSiteCopyCounts } from "../../transfer/job.ts";

/** Size limit of the export, equal to that of an uploaded file. */
const BYTES_MAX = 1024 ** 3;

/**
 * Copies a WordPress site through its REST interface. After an interruption, a copy starts from the
 * beginning.
 *
 * @returns an export (WXR), which describes files but does not contain them.
 * @throws {AppError} `invalid` if the site cannot be copied; `too_large`.
 */
export async function copyLiveWordPress(
  address: string,
  {
    requests,
    onCopied,
    events,
  }: {
    requests: PoliteRequester;
    onCopied: (copied: LiveSiteCopyCounts) => void;
    events: ImportEventHandlers;
  },
): Promise<AsyncIterable<Uint8Array>> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTemporaryFolder());
  const path = join(folder.path, "wordpress.xml");
  const report = await writeExport(address, path, { requests, onCopied });
  reportCopy(report, events);
  return readOnce(path, opened.move());
}

async function* readOnce(path: string, folder: AsyncDisposable): AsyncGenerator<Uint8Array> {
  await using _removed = folder;
  yield* createReadStream(path);
}

async function writeExport(
  address: string,
  path: string,
  {
    requests,
    onCopied,
  }: { requests: PoliteRequester; onCopied: (copied: LiveSiteCopyCounts) => void },
): Promise<WordPressCopyReport> {
  await using file = await createFile(path);
  let bytes = 0;
  const report = await copyWordPress(address, {
    ...requests,
    async write(text) {
      bytes += Buffer.byteLength(text);
      if (bytes > BYTES_MAX) throw new AppError("too_large", TOO_LARGE);
      await file.appendFile(text);
    },
    onProgress: (counts) => onCopied(copiedOf(counts)),
  });
  onCopied(copiedOf(report));
  return report;
}

function copiedOf({ posts, files }: WordPressCounts): LiveSiteCopyCounts {
  return { pages: posts.values().reduce((sum, count) => sum + count, 0), files };
}

function reportCopy({ failed }: WordPressCopyReport, events: ImportEventHandlers): void {
  for (const { from, reason } of failed) {
    const fault = translateCopyError(reason);
    events.onProblem({
      ...{ file: from, line: 1, field: "", severity: "error" },
      message: buildWording((language) => `${NOT_COPIED_WORDING[language]}: ${fault[language]}`),
    });
  }
  events.onNote?.(COPIED_NOTE);
}

export const NOT_COPIED_WORDING: Wording = { en: "was not copied", de: "wurde nicht kopiert" };
const COPIED_NOTE: Wording = {
  en: "Copied as WordPress shows its texts to programs, with dates, topics and authors; drafts, comments and menus are not in it. Pictures and files are fetched when you import",
  de: "Kopiert, wie WordPress seine Texte Programmen zeigt, mit Daten, Themen und Autoren; Entwürfe, Kommentare und Menüs sind nicht dabei. Bilder und Dateien werden beim Importieren geholt",
};
const TOO_LARGE: Wording = {
  en: 'The site has more than 1 GB of texts; copy it with the command line, as "fetch --wordpress"',
  de: "Die Website hat mehr als 1 GB an Texten: Bitten Sie, wer den Server betreibt, sie mit dem Befehl „fetch --wordpress“ zu kopieren",
};
