import { z } from "zod";

/** The record's tables hold only integers, texts and nulls. */
const valueSchema = z.union([z.string(), z.number(), z.null()]);
export type Value = z.infer<typeof valueSchema>;

const noteSchema = z.object({
  /** Identifies the record: a hash of the first entries of its audit log. */
  record: z.string(),
  /** Number of entries hashed. */
  entries: z.number(),
  /** Watermark of the record's state: the number of its latest audit entry. */
  latest: z.number(),
  beganAt: z.string(),
  /** The table being copied; those before it are done. */
  table: z.string().nullable(),
  /** Key of the last row written. */
  after: z.array(valueSchema).nullable(),
  /** Statements that recreate the indexes and keys dropped for the bulk load; null: none dropped yet. */
  setAside: z.array(z.string()).nullable(),
  /** All rows are copied, and dropped indexes and keys are back. */
  isCopied: z.boolean(),
});

/** Progress of a resumable copy, stored in the target in the same transaction as the rows. */
export type MoveNote = z.infer<typeof noteSchema>;

/** `completedAt` is null while the move is unfinished. */
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
