import { AppError } from "../errors.ts";
import { isDamaged, isUnreadable } from "./sqlite-faults.ts";

const RETRY_SECONDS = 30;

/** Where damage was found; content never appears in it. */
export interface DamagedPlace {
  /** The reading copy can be made again from the record; the record cannot. */
  part: "reading copy" | "record";
  /** Null: SQLite could not say. */
  table: string | null;
  /** The key of the row; null: the whole table, or file. */
  row: string | null;
}

/** Stored content is not what was written. Doors answer 503, with a time to retry after. */
export class DamageError extends AppError {
  readonly place: DamagedPlace;

  constructor(place: DamagedPlace, cause?: unknown) {
    super("unavailable", MESSAGES[place.part], { retryAfterSeconds: RETRY_SECONDS, cause });
    this.name = "DamageError";
    this.place = place;
  }
}

const MESSAGES = {
  "reading copy": "What is stored here is damaged and is being made again; try again in a minute",
  record: "What is stored here is damaged. The operator has to restore it from a backup",
} as const;

/** The damage that made a read fail; null: it failed for another reason. */
export function damageOf(error: unknown, part: DamagedPlace["part"]): DamageError | null {
  if (error instanceof DamageError) return error;
  const isOfFile = isDamaged(error) || isUnreadable(error);
  return isOfFile ? new DamageError({ part, table: null, row: null }, error) : null;
}

/** `table row`, as logs and the command line show it. */
export function placeText({ part, table, row }: DamagedPlace): string {
  return [part, table, row].filter((word) => word !== null).join(", ");
}
