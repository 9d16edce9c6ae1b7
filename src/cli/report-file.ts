import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { chownToFolderOwner, pathExists } from "../files/durable-files.ts";
import { openReportTable, type ReportTable } from "../transfer/report-table.ts";

/** The file of `--report`. */
export interface ImportReportFile extends AsyncDisposable {
  table: ReportTable;
  /** Writes the table, in place of an earlier report. */
  write(): Promise<void>;
}

/**
 * Opens the file before the import. A file that cannot be written would otherwise be found when
 * everything is imported, and the report would be lost.
 */
export async function openImportReportFile(path: string): Promise<ImportReportFile> {
  await using opened = new AsyncDisposableStack();
  const isNew = !(await pathExists(path));
  const file = opened.use(await open(path, "a", 0o600));
  if (isNew) chownToFolderOwner(dirname(path), path);
  const table = opened.use(await openReportTable());
  const owned = opened.move();
  return {
    table,
    async write() {
      if ((await file.stat()).isFile()) await file.truncate();
      await file.writeFile(table.bytes());
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
