import { copyFile, symlink } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Actor } from "../access/actor.ts";
import type { RedirectChangeContext } from "../content/addresses/redirect-change-context.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import { type ImportEventHandlers, mapFileNamesInEvents } from "../content/import/import-events.ts";
import { sourceNameOfFile } from "../content/import/tables/reading/open-table-import.ts";
import { resolveChosenColumnTargets } from "../content/import/tables/table-mapping.ts";
import type { MediaFileStorage, MediaStore } from "../content/media/media.ts";
import { AppError, type Wording } from "../errors.ts";
import { joinPathBelow } from "../files/path-below.ts";
import { makeTemporaryFolder } from "../files/temporary-folder.ts";
import type { FetchOptions } from "../transfer/fetching/fetch-file.ts";
import type { FileImporter, FileImportOptions, FileReadChoices } from "../transfer/job.ts";
import { createFileNoticeCollector } from "./file-notices.ts";
import { limitTableRows } from "./limited-rows.ts";
import { createFilePublisher, type ListingFilePublisher } from "./publish-files.ts";
import { importWithSavedChoices } from "./saved-choices.ts";
import { findUnimportedFiles, groupUnimportedFiles, type UnreadFile } from "./unimported-files.ts";
import { unpackSources } from "./unpack-sources.ts";

/**
 * The folder for files that an export names but does not contain. No uploaded file has this name, because
 * every uploaded file has an extension.
 */
const UPLOADS_FOLDER = "fetched-uploads";

export interface FileImporterDependencies {
  media: MediaStore;
  mediaFiles: MediaFileStorage;
  desk: Pick<ContentDesk, "list">;
  addresses: Pick<RedirectChangeContext, "origin" | "isDocument">;
  /** Options for requests to former sites. */
  fetching: FetchOptions;
}

/** Imports files sent to the server, with the same code as the command line. */
export function createFileImporter(parts: FileImporterDependencies): FileImporter {
  return async (record, actor, { path, ...file }, options) => {
    await using folder = await makeTemporaryFolder();
    const hidden = hiddenFolders(folder.path, file);
    const shown = (text: string) => hidden.reduce((rest, name) => rest.replaceAll(name, ""), text);
    try {
      const importPath = joinPathBelow(folder.path, file.name);
      // Copies the file if a symbolic link fails, because on Windows few users may create symbolic
      // links.
      await symlink(resolve(path), importPath).catch(() => copyFile(path, importPath));
      await using unpacked = await unpackSources([importPath], options.yieldBetween);
      const events = mapFileNamesInEvents(options.events, (text) =>
        shown(unpacked.withArchiveNames(text)),
      );
      for (const problem of unpacked.problems) events.onProblem(problem);
      if (unpacked.leftOut.length > 0) events.onExportsLeftOut?.(unpacked.leftOut);
      const notices = createFileNoticeCollector();
      const publisher = publisherOf(parts, actor, { ...options, events, onNotice: notices.add });
      const choices = contentOptions(parts, file, {
        ...{ ...options, events },
        uploadsFolder: join(folder.path, UPLOADS_FOLDER),
      });
      const importOptions = { ...choices, publisher };
      const imported = await importWithSavedChoices(record, actor, unpacked.sources, importOptions);
      for (const notice of notices.all()) events.onNote?.(notice);
      reportLeftOut(events, findUnimportedFiles(unpacked.sources, publisher.published));
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

function reportLeftOut(events: ImportEventHandlers, files: readonly UnreadFile[]): void {
  for (const { path, isContent } of files) if (!isContent) events.onUnusedFile?.(path);
  const leftOut = groupUnimportedFiles(files);
  if (leftOut.length > 0) events.onExportsLeftOut?.(leftOut);
}

function publisherOf(
  { media, mediaFiles: files }: FileImporterDependencies,
  actor: Actor,
  {
    now,
    isDryRun,
    events,
    onNotice,
  }: FileImportOptions & { onNotice: (file: string, message: Wording) => void },
): ListingFilePublisher {
  const onFile = (path: string, address: string) => events.onFile?.(path, address);
  return createFilePublisher({ media, files }, { actor, now, isDryRun, onNotice, onFile });
}

function contentOptions(
  { desk, addresses, fetching }: FileImporterDependencies,
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
      source: sourceNameOfFile(name),
      ...(as === undefined ? {} : { as }),
      ...(generator === undefined ? {} : { generator }),
      ...(sheet === null ? {} : { sheet }),
    },
    prefer,
    ...{ now, addresses, events, halt, yieldBetween },
    uploads,
    tables: {
      ...(type === null ? {} : { type }),
      places: (named) => resolveChosenColumnTargets(Object.entries(columns), named),
      limited: (rows) => limitTableRows(rows, { halt, yieldBetween }),
      desk,
    },
  };
}
