import { z } from "zod";

/** A whole number or a text: the tables of the record hold nothing else. */
const valueSchema = z.union([z.string(), z.number(), z.null()]);
export type Value = z.infer<typeof valueSchema>;

const noteSchema = z.object({
  /** Tells which record is moved: a hash of the first entries of its audit log. */
  record: z.string(),
  /** How many entries that are. */
  entries: z.number(),
  /** The state of the record: the number of its latest entry. */
  latest: z.number(),
  beganAt: z.string(),
  /** What is under way; the tables before it are done. */
  table: z.string().nullable(),
  /** The key of the row that was written last. */
  after: z.array(valueSchema).nullable(),
  /** Statements that make again what only slows the load down; null: nothing was set aside yet. */
  setAside: z.array(z.string()).nullable(),
  /** All rows are there, and what was set aside is back. */
  isCopied: z.boolean(),
});

/** How far a move has come, kept in its target in the same transaction as the rows. */
export type MoveNote = z.infer<typeof noteSchema>;

/** A note, and when the move was complete; null: it is under way. */
export interface KeptNote {
  note: MoveNote;
  completedAt: string | null;
}

export function readNote(text: string): MoveNote {
  return noteSchema.parse(JSON.parse(text));
}

export function writtenNote(note: MoveNote): string {
  return JSON.stringify(note);
}
