import { basename } from "node:path";
import { openMediaFiles, openRecordForCommand } from "../app/store.ts";
import {
  type MediaFileStorage,
  type MediaStore,
  withMediaFileLinks,
} from "../content/media/media.ts";
import { addMediaFile } from "../content/media/media-editing.ts";
import {
  type MediaFileInput,
  mediaFileInputFromName,
  parseMediaFileInput,
} from "../content/media/media-file-input.ts";
import { readFileBytes } from "../files/file-bytes.ts";
import { formatCommandErrorLine } from "./faults.ts";
import type { CommandContext } from "./terminal.ts";

export interface AddFilesFlags {
  alt?: string;
  credit?: string;
  public?: boolean;
  json?: boolean;
}

type AddedMedium = ReturnType<typeof withMediaFileLinks> & {
  isNew: boolean;
  notices: readonly string[];
};

/**
 * `commonplace media add FILE…`: a refused file does not stop the others. The exit code is 1 if a file was
 * refused.
 */
export async function runAddFilesCommand(
  paths: readonly string[],
  { json = false, public: alwaysPublic = false, ...said }: AddFilesFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const input = parseMediaFileInput({ ...said, alwaysPublic });
  await using record = await openRecordForCommand(config);
  const stores = {
    media: record.media,
    files: openMediaFiles(config, record),
    origin: config.origin,
  };
  const added: AddedMedium[] = [];
  for (const path of paths) {
    try {
      const medium = await addFile(path, input, stores);
      added.push(medium);
      if (json) continue;
      terminal.out(medium.markdown);
      for (const notice of medium.notices) terminal.err(`${path}: ${notice}`);
    } catch (error) {
      terminal.err(`${path}: ${formatCommandErrorLine(error)}`);
    }
  }
  if (json) terminal.out(JSON.stringify({ media: added }));
  return added.length === paths.length ? 0 : 1;
}

async function addFile(
  path: string,
  input: MediaFileInput,
  { media, files, origin }: { media: MediaStore; files: MediaFileStorage; origin: string },
): Promise<AddedMedium> {
  await using file = await files.receive(readFileBytes(path));
  const named = { ...mediaFileInputFromName(basename(path)), ...input };
  const actor = { kind: "operator" } as const;
  const { medium, isNew } = await addMediaFile(media, actor, file, named, { now: new Date() });
  return {
    ...withMediaFileLinks(medium, origin),
    isNew,
    notices: file.notices.map(({ en }) => en),
  };
}
