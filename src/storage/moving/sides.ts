import type { SharedFiles } from "../shared-files.ts";
import type { KeptNote, MoveNote, Value } from "./move-note.ts";
import type { MovedTable } from "./tables.ts";

/** Columns in name order. */
export type Row = Readonly<Record<string, Value>>;

export type MovedFiles = Pick<SharedFiles, "list" | "find" | "receive" | "remove">;

/** A block of rows to read. */
export interface Part {
  columns: readonly string[];
  /** Read rows after this key; null: from the first. */
  after: readonly Value[] | null;
  rowsMax: number;
  /** The block ends with the row that exceeds this many bytes of text. */
  bytes: number;
}

/** A record in either engine, as a move reads it. */
export interface Side extends AsyncDisposable {
  /** For messages; without password. */
  readonly name: string;
  readonly files: MovedFiles;
  /**
   * In name order. Items include `number`, the cursor of lists: SQLite keeps it in a separate table,
   * PostgreSQL in the table of items.
   */
  columns(table: MovedTable): Promise<readonly string[]>;
  /** The next rows in key order (texts compared by bytes); empty at the end. */
  read(table: MovedTable, part: Part): Promise<Row[]>;
  count(table: MovedTable): Promise<number>;
  /** The highest number ever assigned, even if that row was deleted. */
  lastNumber(table: MovedTable): Promise<number>;
}

/** A consistent snapshot while it is open. */
export interface Source extends Side {
  /** Number of audit entries added since the snapshot. */
  changesSince(): Promise<number>;
}

export interface Target extends Side {
  /** The move it holds; null: it is empty. @throws {AppError} if it holds anything else. */
  found(): Promise<KeptNote | null>;
  /** Creates missing tables and drops what slows the bulk load down. */
  prepare(note: MoveNote): Promise<MoveNote>;
  /** Writes rows and note in one transaction. */
  write(table: MovedTable, rows: readonly Row[], note: MoveNote): Promise<void>;
  /** Sets the sequences and recreates what `prepare` dropped. */
  settle(note: MoveNote, lastNumbers: ReadonlyMap<MovedTable, number>): Promise<MoveNote>;
  /** Marks the target as ready for a server. */
  complete(at: Date): Promise<void>;
  /** Deletes everything an unfinished move has written. */
  empty(): Promise<void>;
}
