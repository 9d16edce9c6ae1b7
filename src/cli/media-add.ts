import { basename } from "node:path";
import { openMediaFiles, openRecordForCommand } from "../app/store.ts";
import { type MediaFiles, type MediaStore, mediumWithLinks } from "../content/media/media.ts";
import { addMedium } from "../content/media/media-editing.ts";
import {
  inputFromFileName,
  type MediumInput,
  mediumInputOf,
} from "../content/media/medium-input.ts";
import { fileBytes } from "../files/file-bytes.ts";
import { commandErrorLine } from "./faults.ts";
import type { CommandContext } from "./terminal.ts";

export interface AddFilesFlags {
  alt?: string;
  credit?: string;
  public?: boolean;
  json?: boolean;
}

type AddedMedium = ReturnType<typeof mediumWithLinks> & {
  isNew: boolean;
  notices: readonly string[];
};

/**
 * `commonplace media add FILE…`: a refused file does not stop the others. The exit code is 1 if a file was
 * refused.
 */
export async function addFilesCommand(
  paths: readonly string[],
  { json = false, public: alwaysPublic = false, ...said }: AddFilesFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const input = mediumInputOf({ ...said, alwaysPublic });
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
      terminal.err(`${path}: ${commandErrorLine(error)}`);
    }
  }
  if (json) terminal.out(JSON.stringify({ media: added }));
  return added.length === paths.length ? 0 : 1;
}

async function addFile(
  path: string,
  input: MediumInput,
  { media, files, origin }: { media: MediaStore; files: MediaFiles; origin: string },
): Promise<AddedMedium> {
  await using file = await files.receive(fileBytes(path));
  const named = { ...inputFromFileName(basename(path)), ...input };
  const actor = { kind: "operator" } as const;
  const { medium, isNew } = await addMedium(media, actor, file, named, { now: new Date() });
  return { ...mediumWithLinks(medium, origin), isNew, notices: file.notices.map(({ en }) => en) };
}
