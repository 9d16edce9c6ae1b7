import type { KeyedTable } from "../record/keyed-tables.ts";
import type { SharedFiles } from "../shared-files.ts";

/** The record's tables contain only integers, texts and nulls. */
export type RecordValue = string | number | null;

/** The values of a row, keyed by column name. The columns are sorted by name. */
export type RecordRow = Readonly<Record<string, RecordValue>>;

export interface RecordFiles extends Pick<SharedFiles, "list" | "find"> {
  /** Writes a new file. If `bytes` cannot be read to the end, no file remains. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Which rows to read next. */
export interface RowRange {
  columns: readonly string[];
  /** Key after which to read rows; null to read from the first row. */
  after: readonly RecordValue[] | null;
  rowsMax: number;
  /**
   * Approximate limit on the bytes of text in a batch. The row that exceeds the limit is the last row
   * of the batch.
   */
  bytes: number;
}

/** A record in SQLite or PostgreSQL that a move reads. */
export interface ReadableRecord extends AsyncDisposable {
  /** Name for messages, without password. */
  readonly name: string;
  readonly files: RecordFiles;
  /**
   * Column names, sorted. The columns of the table `items` include `number`, which list cursors contain,
   * although SQLite stores it in a separate table.
   */
  columns(table: KeyedTable): Promise<readonly string[]>;
  /** The next rows in key order (texts compared by bytes); empty at the end. */
  read(table: KeyedTable, range: RowRange): Promise<RecordRow[]>;
  count(table: KeyedTable): Promise<number>;
  /** The highest number ever assigned, even if that row was deleted. */
  lastNumber(table: KeyedTable): Promise<number>;
}

/** A record to copy from: a consistent snapshot for as long as it is open. */
export interface MoveSource extends ReadableRecord {
  /** Ends the snapshot. Returns the number of audit entries added after the snapshot began. */
  changesSince(): Promise<number>;
}

/** An empty record. Disposing of it before `commit` removes everything written to it. */
export interface MoveTarget extends ReadableRecord {
  write(table: KeyedTable, rows: readonly RecordRow[]): Promise<void>;
  /** Sets the sequences and creates the indexes: call it once all rows are written. */
  finishTables(lastNumbers: ReadonlyMap<KeyedTable, number>): Promise<void>;
  /** Makes everything written durable and visible at once. */
  commit(): Promise<void>;
}
