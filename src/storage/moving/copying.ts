import { hasSequenceKey, KEYED_TABLES, type KeyedTable } from "../record/keyed-tables.ts";
import type { MoveSource, MoveTarget } from "./readable-record.ts";
import {
  countRecordRows,
  type OnRowProgress,
  readRowBatches,
  requireSameColumns,
} from "./reading-tables.ts";

export async function copyTables(
  source: MoveSource,
  target: MoveTarget,
  onRows: OnRowProgress,
): Promise<void> {
  const total = await countRecordRows(source);
  let done = 0;
  for (const table of KEYED_TABLES) {
    const batches = readRowBatches(source, table, await requireSameColumns(source, target, table));
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
  for (const table of KEYED_TABLES.filter(hasSequenceKey)) {
    lastNumbers.set(table, await source.lastNumber(table));
  }
  await target.finishTables(lastNumbers);
}
