import { openRecordForCommand } from "../app/store.ts";
import { type MediaFile, withMediaFileLinks } from "../content/media/media.ts";
import { listMedia } from "../content/media/media-editing.ts";
import { mediaFilePath } from "../content/media/media-kinds.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

const PAGE_SIZE = 500;

export interface ListMediaFlags {
  type?: string;
  text?: string;
  unused?: boolean;
  json?: boolean;
}

/** Runs `commonplace media list`. */
export async function runListMediaCommand(
  { json = false, ...asked }: ListMediaFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const media: MediaFile[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listMedia(
      record.media,
      { kind: "operator" },
      { ...asked, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
    );
    media.push(...page.media);
    cursor = page.nextCursor;
  }
  const shown = media.map((medium) => withMediaFileLinks(medium, config.origin));
  if (json) terminal.out(JSON.stringify({ media: shown }));
  else if (media.length === 0) terminal.out("No such files");
  else for (const line of formatTableLines(rows(media))) terminal.out(line);
  return 0;
}

function rows(media: readonly MediaFile[]): string[][] {
  return [
    ["ADDED", "KB", "PIXELS", "ADDRESS", "NAME"],
    ...media.map((medium) => [
      medium.addedAt.slice(0, 10),
      String(Math.ceil(medium.bytes / 1000)),
      medium.width === null ? "-" : `${medium.width}×${medium.height}`,
      mediaFilePath(medium),
      medium.name,
    ]),
  ];
}
