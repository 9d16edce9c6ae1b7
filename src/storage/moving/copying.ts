import { isNumbered, KEYED_TABLES, type KeyedTable } from "../record/keyed-tables.ts";
import type { MoveSource, MoveTarget } from "./readable-record.ts";
import { commonColumns, countRows, type OnRowProgress, rowBatchesOf } from "./reading-tables.ts";

export async function copyTables(
  source: MoveSource,
  target: MoveTarget,
  onRows: OnRowProgress,
): Promise<void> {
  const total = await countRows(source);
  let done = 0;
  for (const table of KEYED_TABLES) {
    const batches = rowBatchesOf(source, table, await commonColumns(source, target, table));
    let batch = await batches.next();
    while (batch.done !== true) {
      const rows = batch.value;
      [batch] = await Promise.all([batches.next(), target.write(table, rows)]);
      done += rows.length;
      onRows(done, total, table.name);
    }
  }
  onRows(done, total, "creating indexes");
  const lastNumbers = new Map<KeyedTable, number>();
  for (const table of KEYED_TABLES.filter(isNumbered)) {
    lastNumbers.set(table, await source.lastNumber(table));
  }
  await target.finishTables(lastNumbers);
}
