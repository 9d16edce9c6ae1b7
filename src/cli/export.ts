import { extname } from "node:path";
import { openMedia, openStore } from "../app/store.ts";
import { exportItems } from "../transfer/exporting.ts";
import type { Snapshot } from "../transfer/snapshot.ts";
import {
  type ExportCounts,
  type OnItems,
  openNew,
  writeSiteFolder,
  writeThenRename,
} from "./export-folder.ts";
import { progressMeter, SILENT_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

const JSON_LINES_EXTENSIONS = [".jsonl", ".ndjson"];

const OPERATOR_ACTOR = { kind: "operator" } as const;

/** `commonplace export FOLDER|FILE.jsonl`: writes what `import` can read, completely or not at all. */
export async function exportCommand(
  path: string,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openStore(config);
  await using snapshot = record.snapshot();
  const isFile = JSON_LINES_EXTENSIONS.includes(extname(path).toLowerCase());
  const total = await snapshot.itemCount();
  const meter = json ? SILENT_METER : await progressMeter("Writing", terminal);
  const onItems = (items: number) => meter.show(items, total, `${items} of ${total} items`);
  let report: ExportCounts;
  try {
    report = isFile
      ? await writeFileOfItems(path, snapshot, onItems)
      : await writeSiteFolder(path, { snapshot, mediaFiles: openMedia(config, record), onItems });
  } finally {
    meter.stop();
  }
  const files = isFile ? "" : `, ${report.media} files`;
  if (json) terminal.out(JSON.stringify({ path, ...report }));
  else terminal.out(`${report.items} items${files} written to ${path}`);
  return 0;
}

async function writeFileOfItems(
  path: string,
  snapshot: Snapshot,
  onItems: OnItems,
): Promise<ExportCounts> {
  return await writeThenRename(path, async (part) => {
    let items = 0;
    await using file = await openNew(part);
    for await (const batch of exportItems(snapshot, OPERATOR_ACTOR)) {
      await file.writeFile(batch.text);
      items += batch.items;
      onItems(items);
    }
    await file.sync();
    return { items, media: 0 };
  });
}
