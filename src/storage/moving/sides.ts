import type { SharedFiles } from "../shared-files.ts";
import type { KeptNote, MoveNote, Value } from "./move-note.ts";
import type { MovedTable } from "./tables.ts";

/** Columns in the order of their names. */
export type Row = Readonly<Record<string, Value>>;

export type MovedFiles = Pick<SharedFiles, "list" | "find" | "receive" | "remove">;

/** Which rows of a table to read. */
export interface Part {
  columns: readonly string[];
  /** Those behind this key; null: from the first. */
  after: readonly Value[] | null;
  rowsMax: number;
  /** The row that goes beyond so many bytes of text is the last. */
  bytes: number;
}

/** What both engines tell of a record for moving it. */
export interface Side extends AsyncDisposable {
  /** How messages name it; holds no password. */
  readonly name: string;
  readonly files: MovedFiles;
  /**
   * In the order of their names. Items also have a `number`, by which lists go on: it stands beside them
   * in SQLite and in their table in PostgreSQL.
   */
  columns(table: MovedTable): Promise<readonly string[]>;
  /** The next rows in the order of the key, compared byte by byte; none: there are no more. */
  read(table: MovedTable, part: Part): Promise<Row[]>;
  count(table: MovedTable): Promise<number>;
  /** The highest number given so far, also if that row is gone. */
  lastNumber(table: MovedTable): Promise<number>;
}

/** Stays as it was at one moment while it is open. */
export interface Source extends Side {
  /** Entries of the audit log that came after that moment. */
  changesSince(): Promise<number>;
}

export interface Target extends Side {
  /** Null: there is no move and nothing else in it either. @throws {AppError} when it holds something. */
  found(): Promise<KeptNote | null>;
  /** Makes the tables where they are missing, and sets aside what slows a load down. */
  prepare(note: MoveNote): Promise<MoveNote>;
  /** Adds rows and keeps the note in one transaction. */
  write(table: MovedTable, rows: readonly Row[], note: MoveNote): Promise<void>;
  /** Has the next rows numbered from there, and puts back what was set aside. */
  settle(note: MoveNote, lastNumbers: ReadonlyMap<MovedTable, number>): Promise<MoveNote>;
  /** From here on it serves. */
  complete(at: Date): Promise<void>;
  /** Throws away what an unfinished move has written. */
  empty(): Promise<void>;
}
