import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LinkedMediaFile } from "../../content/import/markdown-links.ts";
import { folderOfUpload } from "../../content/import/mediawiki/wiki-addresses.ts";
import type { WordPressPost } from "../../content/import/wordpress/wordpress-site.ts";
import { AppError, type Wording } from "../../errors.ts";
import { createFile, makeFolder, moveDurably } from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";
import { translateCopyError } from "../../transfer/fetching/copy-errors.ts";
import { type FetchOptions, fetchFile } from "../../transfer/fetching/fetch-file.ts";
import { type FilePublisher, isFileBelow } from "../publish-files.ts";

/** The places from which the files of a WordPress site can be read. */
export interface UploadSource {
  /** Folders that may contain the uploads. */
  folders: readonly string[];
  /** The folder into which uploads are fetched from the former site; null: nothing is fetched. */
  fetchInto: { folder: string; parts: FetchOptions } | null;
  isDryRun: boolean;
}

export interface WordPressUploads {
  /**
   * Publishes an upload. Returns `pending` if only a real run would fetch the file, and null if the upload
   * is unavailable.
   */
  publish(upload: string, file: WordPressPost | null): Promise<LinkedMediaFile | "pending" | null>;
  /**
   * `missing`: number of unavailable uploads. `pending`: number of uploads that a real run would
   * fetch.
   */
  counts(): { missing: number; pending: number };
}

/** Subfolders in which copies of WordPress and Ghost sites have uploads. */
const UPLOAD_FOLDERS: readonly string[] = ["", "uploads/", "wp-content/uploads/", "content/"];
/** Subfolders in which a wiki has its files, inside folders named by a hash. */
const WIKI_FOLDERS: readonly string[] = ["images/", ""];
const FETCHED_BYTES_MAX = 256 * 1024 * 1024;

/** Publishes each upload once, from a folder or from the former site. */
export function openWordPressUploads(
  source: UploadSource,
  publisher: FilePublisher,
): WordPressUploads {
  const known = new Map<string, LinkedMediaFile | "pending" | null>();
  const counts = { missing: 0, pending: 0 };
  const findUpload = (upload: string): string | undefined =>
    source.folders
      .flatMap((folder) => placesOf(upload).map((file) => ({ folder, file })))
      .filter(({ folder, file }) => isFileBelow(folder, file))
      .map(({ folder, file }) => join(folder, ...file.split("/")))[0];
  const publishOne = async (upload: string, file: WordPressPost | null) => {
    let path = findUpload(upload);
    if (path === undefined && source.fetchInto !== null && file?.file) {
      if (source.isDryRun) return "pending";
      const fault = await fetchInto(source.fetchInto, upload, file.file.url);
      if (fault !== null) return { fault };
      path = findUpload(upload);
    }
    if (path === undefined) return null;
    const alt = file?.file?.alt ?? "";
    return await publisher.publish(path, alt === "" ? {} : { alt });
  };
  return {
    counts: () => ({ ...counts }),
    async publish(upload, file) {
      const earlier = known.get(upload);
      if (earlier !== undefined) return earlier;
      const result = await publishOne(upload, file);
      known.set(upload, result);
      if (result === null) counts.missing += 1;
      if (result === "pending") counts.pending += 1;
      return result;
    },
  };
}

/** The paths, relative to a folder, at which an upload can be stored. */
function placesOf(upload: string): string[] {
  const places = UPLOAD_FOLDERS.map((folder) => folder + upload);
  if (upload.includes("/")) return places;
  const hashed = folderOfUpload(upload) + upload;
  return [...places, `images/${upload}`, ...WIKI_FOLDERS.map((folder) => folder + hashed)];
}

/** Fetches a file into the folder, so that a repeated import does not fetch it again. */
async function fetchInto(
  { folder, parts }: { folder: string; parts: FetchOptions },
  upload: string,
  url: string,
): Promise<Wording | null> {
  const path = joinPathBelow(folder, ...upload.split("/"));
  const part = `${path}.part-${process.pid}`;
  makeFolder(dirname(path));
  try {
    const fault = await fetchFile(url, (pieces) => storeFile(pieces, part), parts);
    if (fault === null) await moveDurably(part, path);
    return fault === null ? null : translateCopyError(fault);
  } catch (error) {
    if (error instanceof AppError && error.code === "too_large") return error.wording;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

async function storeFile(pieces: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  await rm(path, { force: true });
  await using file = await createFile(path);
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > FETCHED_BYTES_MAX)
      throw new AppError("too_large", {
        en: "It is longer than 256 MiB",
        de: "Sie ist länger als 256 MB",
      });
    await file.write(piece);
  }
  await file.sync();
}
