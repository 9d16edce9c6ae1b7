import { join } from "node:path";
import { openMediaFiles, openRecordForCommand } from "../app/store.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { openExportFolder } from "../files/updated-folder.ts";
import { exportSiteWithFilePerItem } from "../syncing/folder-export.ts";
import { readSiteIdOfBase, SYNC_BASE_FOLDER } from "../syncing/sync-base.ts";
import { MEDIA_FOLDER } from "../transfer/site-files.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import { summarizeNames } from "./summarize-names.ts";
import type { CommandContext } from "./terminal.ts";

const OPERATOR_ACTOR = { kind: "operator" } as const;

export interface ExportFilesFlags {
  together?: string[];
  json?: boolean;
}

/**
 * `commonplace export --files FOLDER`: writes a site folder with one Markdown file per item, or updates it.
 * Exit code 1 if a file was not updated because someone had changed it.
 */
export async function runExportFilesCommand(
  path: string,
  { together = [], json = false }: ExportFilesFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const ownFolder = join(path, SYNC_BASE_FOLDER);
  if ((await readSiteIdOfBase(ownFolder)) !== null) {
    const message = `${path} is kept equal with a site by sync: use sync, or name another folder`;
    throw new AppError("conflict", englishOnlyWording(message));
  }
  await using snapshot = record.snapshot();
  const total = await snapshot.itemCount();
  const types = await record.content.types();
  const mediaFiles = openMediaFiles(config, record);
  const meter = json ? SILENT_PROGRESS_METER : await createProgressMeter("Writing", terminal);
  let items = 0;
  const files = exportSiteWithFilePerItem(OPERATOR_ACTOR, {
    ...{ snapshot, mediaFiles, types, together: new Set(together) },
    onItems(done) {
      items = done;
      meter.show(items, total, `${items} of ${total} items`);
    },
  });
  try {
    const folder = await openExportFolder(path, {
      ...{ listFolder: SYNC_BASE_FOLDER, readers: "owner", onEdited: "keep" },
    });
    for await (const { name, bytes } of files) {
      // The name of a media file identifies its content, so an existing file is not written again.
      const isUpToDate =
        name.startsWith(`${MEDIA_FOLDER}/`) && (await folder.keepIfUnchanged(name));
      if (!isUpToDate && !(await folder.write(name, await wholeOf(bytes()))))
        throw unwritable(name);
    }
    const { kept, ...counts } = await folder.finish();
    if (json) terminal.out(JSON.stringify({ path, items, ...counts, kept }));
    else {
      const { changed, removed } = counts;
      terminal.out(
        `${items} items in ${counts.files} files in ${path}: ${changed} written, ${removed} removed, the others unchanged`,
      );
    }
    if (kept.length > 0) {
      terminal.err(
        `error: changed in the folder since the last export, and left as they are: ${summarizeNames(kept)}. Take them in with import, or remove them and export again`,
      );
    }
    return kept.length === 0 ? 0 : 1;
  } finally {
    meter.stop();
  }
}

async function wholeOf(pieces: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}

function unwritable(name: string): AppError {
  return new AppError("conflict", englishOnlyWording(`No file can be named ${name} here`));
}
