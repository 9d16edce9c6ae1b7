import type { MoveNote } from "./move-note.ts";
import type { Source, Target } from "./sides.ts";
import { keyOf, TableReading } from "./table-reading.ts";
import { isNumbered, MOVED_TABLES, type MovedTable } from "./tables.ts";

/** Reports progress in rows, and the current table. */
export type OnRows = (done: number, total: number, table: string) => void;

/** Copies table by table; resumes where the note says an earlier run stopped. */
export async function copyTables(
  source: Source,
  target: Target,
  { note, onRows }: { note: MoveNote; onRows: OnRows },
): Promise<MoveNote> {
  if (note.isCopied) return note;
  const total = await countRows(source);
  const begun = MOVED_TABLES.findIndex(({ name }) => name === note.table);
  let noted = note;
  let done = await countRows(target);
  for (const table of MOVED_TABLES.slice(Math.max(0, begun))) {
    const after = table.name === noted.table ? noted.after : null;
    const columns = await columnsOf(source, target, table);
    const reading = new TableReading(source, table, { columns, after });
    let rows = await reading.next();
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      noted = { ...noted, table: table.name, after: keyOf(table, last) };
      const [next] = await Promise.all([reading.next(), target.write(table, rows, noted)]);
      done += rows.length;
      rows = next;
      onRows(done, total, table.name);
    }
  }
  onRows(done, total, "their indexes are made");
  const numbers = new Map<MovedTable, number>();
  for (const table of MOVED_TABLES.filter(isNumbered)) {
    numbers.set(table, await source.lastNumber(table));
  }
  return await target.settle(noted, numbers);
}

/** @throws if the columns of the two sides differ, which would be a bug: both are migrated first. */
export async function columnsOf(
  source: Pick<Source, "columns" | "name">,
  target: Pick<Source, "columns" | "name">,
  table: MovedTable,
): Promise<readonly string[]> {
  const [here, there] = [await source.columns(table), await target.columns(table)];
  if (here.join() === there.join() && here.length > 0) return here;
  throw new Error(`${table.name} has ${here.join()} here and ${there.join()} there`);
}

/** Total of all tables. */
export async function countRows(side: Pick<Source, "count">): Promise<number> {
  let rows = 0;
  for (const table of MOVED_TABLES) rows += await side.count(table);
  return rows;
}
