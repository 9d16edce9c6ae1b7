import { extname } from "node:path";
import { openMediaFiles, openRecordForCommand } from "../app/store.ts";
import { type FileToPack, packZip } from "../files/zip-packing.ts";
import {
  exportItemsAsJsonLines,
  exportSiteWithSingleItemsFile,
  MEDIA_FOLDER,
} from "../transfer/site-files.ts";
import { createNewFile, writeSiteFolder, writeThenRename } from "./export-folder.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

const JSON_LINES_EXTENSIONS = [".jsonl", ".ndjson"];
const ZIP_EXTENSION = ".zip";
const OPERATOR_ACTOR = { kind: "operator" } as const;

/**
 * `commonplace export FOLDER|FILE.zip|FILE.jsonl`: writes content in a form that `import` reads.
 * Leaves nothing behind if it fails.
 */
export async function runExportCommand(
  path: string,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  await using snapshot = record.snapshot();
  const extension = extname(path).toLowerCase();
  const total = await snapshot.itemCount();
  const report = { items: 0, media: 0 };
  const meter = json ? SILENT_PROGRESS_METER : await createProgressMeter("Writing", terminal);
  const onItems = (items: number) => {
    report.items = items;
    meter.show(items, total, `${items} of ${total} items`);
  };
  const files = () => {
    const mediaFiles = openMediaFiles(config, record);
    return counted(
      exportSiteWithSingleItemsFile(OPERATOR_ACTOR, { snapshot, mediaFiles, onItems }),
      report,
    );
  };
  const hasItemsOnly = JSON_LINES_EXTENSIONS.includes(extension);
  try {
    if (hasItemsOnly)
      await writeFile(path, exportItemsAsJsonLines(OPERATOR_ACTOR, { snapshot, onItems }));
    else if (extension === ZIP_EXTENSION)
      await writeFile(path, packZip(files(), { at: new Date() }));
    else await writeSiteFolder(path, files());
  } finally {
    meter.stop();
  }
  const written = hasItemsOnly ? "" : `, ${report.media} files`;
  if (json) terminal.out(JSON.stringify({ path, ...report }));
  else terminal.out(`${report.items} items${written} written to ${path}`);
  return 0;
}

async function* counted(
  files: AsyncIterable<FileToPack>,
  report: { media: number },
): AsyncGenerator<FileToPack> {
  for await (const file of files) {
    if (file.name.startsWith(`${MEDIA_FOLDER}/`)) report.media += 1;
    yield file;
  }
}

async function writeFile(path: string, bytes: AsyncIterable<Uint8Array | string>): Promise<void> {
  await writeThenRename(path, async (part) => {
    await using file = await createNewFile(part);
    await file.writeFile(bytes);
    await file.sync();
  });
}
