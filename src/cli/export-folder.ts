import { type FileHandle, lstat, mkdir, open, readdir, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import type { MediaFiles, Medium } from "../content/media/media.ts";
import { mediumFile } from "../content/media/media-kinds.ts";
import type { MediumInput } from "../content/media/medium-input.ts";
import { AppError, englishOnly } from "../errors.ts";
import { makeFolder, moveDurably, syncFolder, systemCode } from "../files/durable-files.ts";
import { pathBelow } from "../files/path-below.ts";
import { claimStagingPath, clearAbandonedStaging } from "../files/staging.ts";
import { EXPORTED_ITEMS_FILE, REDIRECTS_FILE } from "../importing/import-files.ts";
import { exportItems } from "../transfer/exporting.ts";
import { redirectTable } from "../transfer/redirect-table.ts";
import type { Snapshot } from "../transfer/snapshot.ts";

const MEDIA_BATCH = 100;
const PART_PREFIX = ".commonplace-export-";
const OPERATOR_ACTOR = { kind: "operator" } as const;

export interface ExportCounts {
  items: number;
  media: number;
}

/** Called with the number of items written so far. */
export type OnItems = (items: number) => void;

interface FolderParts {
  snapshot: Snapshot;
  mediaFiles: MediaFiles;
  onItems: OnItems;
}

/**
 * Writes a site folder that `import` can read; leaves nothing behind if it fails.
 *
 * @throws {AppError} `conflict` when the path exists and is not an empty folder.
 */
export async function writeSiteFolder(path: string, parts: FolderParts): Promise<ExportCounts> {
  await requireFreeFolder(path);
  return await writeThenRename(path, async (part) => {
    makeFolder(join(part, "content"));
    await writeSite(part, parts.snapshot);
    const media = await writeMedia(part, parts);
    const items = await writeItems(part, parts);
    await syncFolders(part);
    await rmdir(path).catch(() => {});
    return { items, media };
  });
}

/** Writes a file or folder under a temporary name and renames it when it is complete. */
export async function writeThenRename<T>(
  path: string,
  write: (part: string) => Promise<T>,
): Promise<T> {
  const folder = dirname(resolve(path));
  makeFolder(folder);
  await clearAbandonedStaging(folder, PART_PREFIX);
  await using part = await claimStagingPath(folder, PART_PREFIX);
  try {
    const written = await write(part.path);
    await moveDurably(part.path, resolve(path));
    return written;
  } catch (error) {
    await part.discard();
    throw error;
  }
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(join(folder, entry.name));
  }
  await syncFolder(folder);
}

async function requireFreeFolder(path: string): Promise<void> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    if (!isLink && (await readdir(path)).length === 0) return;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    if (systemCode(error) !== "ENOTDIR") throw error;
  }
  throw new AppError(
    "conflict",
    englishOnly(
      `Cannot export to ${path}: something is there already; name a new folder, or a file that ends in .jsonl`,
    ),
  );
}

/** Writes the settings, types and redirects of a site folder. */
export async function writeSite(folder: string, snapshot: Snapshot): Promise<void> {
  const site = await snapshot.site();
  if (site !== null) await writeText(join(folder, "site.yaml"), stringify(site));
  const redirects = await redirectTable(snapshot);
  if (redirects !== null) await writeText(join(folder, REDIRECTS_FILE), redirects);
  const types = await snapshot.declaredTypes();
  if (types.length > 0) await mkdir(join(folder, "types"));
  for (const type of types) {
    await writeText(pathBelow(folder, "types", `${type.name}.yaml`), stringify(type));
  }
}

/** Writes the items into one file, since an import keeps their order in lists. */
async function writeItems(folder: string, { snapshot, onItems }: FolderParts): Promise<number> {
  let items = 0;
  await using file = await openNew(join(folder, "content", EXPORTED_ITEMS_FILE));
  for await (const batch of exportItems(snapshot, OPERATOR_ACTOR)) {
    await file.writeFile(batch.text);
    items += batch.items;
    onItems(items);
  }
  await file.sync();
  return items;
}

/** Writes the media files and `media.jsonl` with their metadata. */
async function writeMedia(folder: string, { snapshot, mediaFiles }: FolderParts): Promise<number> {
  let count = 0;
  let after = "";
  const lines: string[] = [];
  for (;;) {
    const batch = await snapshot.media(after, MEDIA_BATCH);
    for (const medium of batch) {
      const name = mediumFile(medium);
      const source = await mediaFiles.find(name);
      if (source === null) continue;
      if (count === 0) await mkdir(join(folder, "media"));
      await using copy = await openNew(pathBelow(folder, "media", name));
      await copy.writeFile(source.stream({ start: 0, end: source.bytes - 1 }));
      await copy.sync();
      lines.push(JSON.stringify(mediaLine(medium)));
      count += 1;
    }
    const last = batch.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (count > 0) await writeText(join(folder, "media.jsonl"), `${lines.join("\n")}\n`);
  return count;
}

/** The line of a medium in `media.jsonl`, as `parseMediaLine` reads it. */
function mediaLine(medium: Medium): { file: string } & MediumInput {
  const { name, alt, credit, isDecorative, alwaysPublic } = medium;
  return {
    file: mediumFile(medium),
    ...{ name, alt, credit },
    ...(isDecorative && { isDecorative }),
    ...(alwaysPublic && { alwaysPublic }),
  };
}

async function writeText(path: string, text: string): Promise<void> {
  await using file = await openNew(path);
  await file.writeFile(text);
  await file.sync();
}

/** Creates a file and its missing parent folders. @throws when the path exists, even as a symbolic link. */
export async function openNew(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  return await open(path, "wx");
}
