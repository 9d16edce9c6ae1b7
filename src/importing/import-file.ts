import { copyFile, symlink } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Actor } from "../access/actor.ts";
import type { RedirectChangeContext } from "../content/addresses/redirect-change-context.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import { eventsWithMappedFileNames, type ImportEvents } from "../content/import/import-events.ts";
import { importSourceName } from "../content/import/tables/reading/open-table-import.ts";
import { chosenColumnTargets } from "../content/import/tables/table-mapping.ts";
import type { MediaFiles, MediaStore } from "../content/media/media.ts";
import { AppError, type Wording } from "../errors.ts";
import { pathBelow } from "../files/path-below.ts";
import { makeTemporaryFolder } from "../files/temporary-folder.ts";
import type { FetchOptions } from "../transfer/fetching/fetch-file.ts";
import type { FileImporter, FileImportOptions, FileReadChoices } from "../transfer/job.ts";
import { createFileNotices } from "./file-notices.ts";
import { limitTableRows } from "./limited-rows.ts";
import { filePublisher, type ListingFilePublisher } from "./publish-files.ts";
import { importWithSavedChoices } from "./saved-choices.ts";
import { type UnreadFile, unimportedFileEntries, unimportedFiles } from "./unimported-files.ts";
import { unpackSources } from "./unpack-sources.ts";

/**
 * The folder for files that an export names but does not contain. No uploaded file has this name, because
 * every uploaded file has an extension.
 */
const UPLOADS_FOLDER = "fetched-uploads";

export interface FileImporterParts {
  media: MediaStore;
  mediaFiles: MediaFiles;
  desk: Pick<ContentDesk, "list">;
  addresses: Pick<RedirectChangeContext, "origin" | "isDocument">;
  /** Options for requests to former sites. */
  fetching: FetchOptions;
}

/** Imports files sent to the server, with the same code as the command line. */
export function createFileImporter(parts: FileImporterParts): FileImporter {
  return async (record, actor, { path, ...file }, options) => {
    await using folder = await makeTemporaryFolder();
    const hidden = hiddenFolders(folder.path, file);
    const shown = (text: string) => hidden.reduce((rest, name) => rest.replaceAll(name, ""), text);
    try {
      const importPath = pathBelow(folder.path, file.name);
      // Copies the file if a symbolic link fails, because on Windows few users may create symbolic
      // links.
      await symlink(resolve(path), importPath).catch(() => copyFile(path, importPath));
      await using unpacked = await unpackSources([importPath], options.yieldBetween);
      const events = eventsWithMappedFileNames(options.events, (text) =>
        shown(unpacked.withArchiveNames(text)),
      );
      for (const problem of unpacked.problems) events.onProblem(problem);
      if (unpacked.leftOut.length > 0) events.onExportsLeftOut?.(unpacked.leftOut);
      const notices = createFileNotices();
      const publisher = publisherOf(parts, actor, { ...options, events, onNotice: notices.add });
      const choices = contentOptions(parts, file, {
        ...{ ...options, events },
        uploadsFolder: join(folder.path, UPLOADS_FOLDER),
      });
      const importOptions = { ...choices, publisher };
      const imported = await importWithSavedChoices(record, actor, unpacked.sources, importOptions);
      for (const notice of notices.all()) events.onNote?.(notice);
      reportLeftOut(events, unimportedFiles(unpacked.sources, publisher.published));
      return { ...imported, files: publisher.published.size };
    } catch (error) {
      const namesFolder = error instanceof AppError && error.message !== shown(error.message);
      if (!namesFolder) throw error;
      const wording = { en: shown(error.wording.en), de: shown(error.wording.de) };
      throw new AppError(error.code, wording, { cause: error });
    }
  };
}

/**
 * Prefixes that are removed from paths in messages, because the sender of the file did not choose
 * them.
 */
function hiddenFolders(folder: string, { name, isSeveral = false }: FileReadChoices): string[] {
  return isSeveral ? [`${folder}${sep}`, `${name}/`] : [`${folder}${sep}`];
}

function reportLeftOut(events: ImportEvents, files: readonly UnreadFile[]): void {
  for (const { path, isContent } of files) if (!isContent) events.onUnusedFile?.(path);
  const leftOut = unimportedFileEntries(files);
  if (leftOut.length > 0) events.onExportsLeftOut?.(leftOut);
}

function publisherOf(
  { media, mediaFiles: files }: FileImporterParts,
  actor: Actor,
  {
    now,
    isDryRun,
    events,
    onNotice,
  }: FileImportOptions & { onNotice: (file: string, message: Wording) => void },
): ListingFilePublisher {
  const onFile = (path: string, address: string) => events.onFile?.(path, address);
  return filePublisher({ media, files }, { actor, now, isDryRun, onNotice, onFile });
}

function contentOptions(
  { desk, addresses, fetching }: FileImporterParts,
  { name, type, sheet, columns, as, generator }: FileReadChoices,
  {
    uploadsFolder: folder,
    fetchesUploads,
    ...options
  }: FileImportOptions & { uploadsFolder: string },
): Omit<Parameters<typeof importWithSavedChoices>[3], "publisher"> {
  const { status, prefer, isLenient, isDryRun, now, events, halt, yieldBetween } = options;
  const uploads = fetchesUploads
    ? { folders: [folder], fetchInto: { folder, parts: { ...fetching, halt } }, isDryRun }
    : { folders: [], fetchInto: null, isDryRun };
  return {
    unknown: isLenient ? "leave_out" : "refuse",
    ...(status === null ? {} : { status }),
    given: {
      source: importSourceName(name),
      ...(as === undefined ? {} : { as }),
      ...(generator === undefined ? {} : { generator }),
      ...(sheet === null ? {} : { sheet }),
    },
    prefer,
    ...{ now, addresses, events, halt, yieldBetween },
    uploads,
    tables: {
      ...(type === null ? {} : { type }),
      places: (named) => chosenColumnTargets(Object.entries(columns), named),
      limited: (rows) => limitTableRows(rows, { halt, yieldBetween }),
      desk,
    },
  };
}
