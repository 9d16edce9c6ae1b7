import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { Actor } from "../access/actor.ts";
import { candidateFilesOfLink } from "../content/import/file-path.ts";
import type { FileProblem } from "../content/import/import-items.ts";
import { splitIntoLines } from "../content/import/lines.ts";
import type { LinkedMediaFile } from "../content/import/markdown-links.ts";
import { findMediaFileLinks } from "../content/import/markdown-links.ts";
import type { MarkdownLink, MarkdownOutline } from "../content/import/markdown-outline.ts";
import { parseMediaLine } from "../content/import/media-line.ts";
import type { MediaFileStorage, MediaStore } from "../content/media/media.ts";
import { addMediaFile } from "../content/media/media-editing.ts";
import { type MediaFileInput, mediaFileInputFromName } from "../content/media/media-file-input.ts";
import { extractMediaPathsById, mediaFilePath } from "../content/media/media-kinds.ts";
import { AppError, type Wording } from "../errors.ts";
import { readFileBytes } from "../files/file-bytes.ts";
import { joinPathBelow } from "../files/path-below.ts";

/** Publishes files that texts link to. */
export interface FilePublisher {
  /** `metadata` applies only to files that are new to the site. */
  publish(path: string, metadata?: MediaFileInput): Promise<LinkedMediaFile>;
  /** Whether a file with this id is published. */
  has(id: string): Promise<boolean>;
}

export interface ListingFilePublisher extends FilePublisher {
  /** Addresses of published files, keyed by path, including files that the site already had. */
  published: ReadonlyMap<string, string>;
  /** In a dry run, returns the given addresses at which a real import would publish a new file. */
  newFilesAmong(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Publishes the files that a Markdown file links to, and the portrait that the Markdown file names.
 * @returns the results, keyed by the link as written.
 */
export async function publishLinkedFiles(
  { links, portrait }: { links: MarkdownOutline["links"]; portrait: MarkdownLink | null },
  {
    file,
    root,
    filesAt,
  }: { file: string; root: string; filesAt?: (path: string) => readonly string[] },
  publisher: FilePublisher,
): Promise<Map<string, LinkedMediaFile>> {
  const published = new Map<string, LinkedMediaFile>();
  for (const { link, isImage } of findMediaFileLinks(
    portrait === null ? links : [...links, portrait],
  )) {
    const place = candidateFilesOfLink(link, file, filesAt).find((name) => isFileBelow(root, name));
    if (place !== undefined) published.set(link, await publisher.publish(join(root, place)));
    else if (isImage && isFromRoot(link) && !(await isPublished(link, publisher))) {
      published.set(link, { fault: NO_SUCH_FILE });
    }
  }
  return published;
}

/** Publishes the files in `media/` of a site folder, with the metadata in its `media.jsonl`. */
export async function publishSiteMedia(
  folder: string,
  publisher: FilePublisher,
  onProblem: (problem: FileProblem) => void,
): Promise<void> {
  const place = join(folder, "media");
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const described = await readDescriptions(join(folder, "media.jsonl"), onProblem);
  for (const name of readdirSync(place).sort()) {
    if (name.startsWith(".") || !isFileBelow(place, name)) continue;
    const result = await publisher.publish(join(place, name), described.get(name));
    if (!("fault" in result)) continue;
    const file = join(place, name);
    onProblem({ file, line: 1, field: "", message: result.fault, severity: "error" });
  }
}

async function readDescriptions(
  file: string,
  onProblem: (problem: FileProblem) => void,
): Promise<Map<string, MediaFileInput>> {
  const described = new Map<string, MediaFileInput>();
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return described;
  for await (const line of splitIntoLines(readFileBytes(file))) {
    if (line.text?.trim() === "") continue;
    const read = line.text === null ? { fault: line.fault } : parseMediaLine(line.text);
    if ("file" in read) described.set(read.file, read.metadata);
    else onProblem({ file, line: line.number, field: "", message: read.fault, severity: "error" });
  }
  return described;
}

const NO_SUCH_FILE: Wording = {
  en: "there is no such file",
  de: "diese Datei gibt es nicht",
};

function isFromRoot(link: string): boolean {
  return /^\/(?![/\\])/.test(link);
}

async function isPublished(link: string, publisher: FilePublisher): Promise<boolean> {
  const [id] = extractMediaPathsById({ body: link, fields: {} }).keys();
  return id !== undefined && (await publisher.has(id));
}

interface PublishingOptions {
  actor: Actor;
  now: Date;
  isDryRun: boolean;
  onNotice: (path: string, message: Wording) => void;
  /** Called for each published file, with its path and its address. */
  onFile?: (path: string, address: string) => void;
}

/** Publishes each file once. A dry run only validates the bytes. */
export function createFilePublisher(
  { media, files }: { media: MediaStore; files: MediaFileStorage },
  { actor, now, isDryRun, onNotice, onFile }: PublishingOptions,
): ListingFilePublisher {
  const known = new Map<string, LinkedMediaFile>();
  const published = new Map<string, string>();
  const publishFile = async (path: string, metadata: MediaFileInput): Promise<LinkedMediaFile> => {
    if (isDryRun) {
      const inspected = await files.inspect(readFileBytes(path));
      for (const notice of inspected.notices) onNotice(path, notice);
      return { address: mediaFilePath(inspected) };
    }
    await using file = await files.receive(readFileBytes(path));
    for (const notice of file.notices) onNotice(path, notice);
    const input = { ...mediaFileInputFromName(basename(path)), ...metadata };
    const { medium } = await addMediaFile(media, actor, file, input, { now });
    return { address: mediaFilePath(medium) };
  };
  return {
    published,
    has: async (id) => (await media.knownMedia([id])).has(id),
    newFilesAmong: async (addresses) => {
      if (!isDryRun) return new Set();
      const files = extractMediaPathsById({ body: addresses.join("\n"), fields: {} });
      const known = await media.knownMedia([...files.keys()]);
      return new Set([...files].filter(([id]) => !known.has(id)).map(([, address]) => address));
    },
    async publish(path, metadata = {}) {
      const earlier = known.get(path);
      if (earlier !== undefined) return earlier;
      const result = await publishFile(path, metadata).catch(faultOf);
      known.set(path, result);
      if ("address" in result) {
        published.set(path, result.address);
        onFile?.(path, result.address);
      }
      return result;
    },
  };
}

/** Returns the problem of a single file. Throws other failures, such as a full disk, which end the import. */
function faultOf(error: unknown): LinkedMediaFile {
  const isAboutFile = error instanceof AppError && error.code !== "unavailable";
  if (!isAboutFile) throw error;
  return { fault: error.wording };
}

/**
 * Whether a path leads to a plain file below the root. Rejects symbolic links, so that an import
 * never leaves its folder.
 */
export function isFileBelow(root: string, file: string): boolean {
  try {
    const path = joinPathBelow(root, ...file.split("/"));
    return lstatSync(path).isFile() && realpathSync(path) === join(realpathSync(root), file);
  } catch {
    return false;
  }
}
