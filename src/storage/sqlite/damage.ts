import { AppError, type Wording } from "../../errors.ts";

const RETRY_SECONDS = 30;

/** Location of damage; never includes content. */
export interface DamageLocation {
  /** The reading copy can be rebuilt from the record; the record cannot. */
  part: "reading copy" | "record";
  /** Null if SQLite did not name the table. */
  table: string | null;
  /** Key of the row; null: the whole table or file. */
  row: string | null;
}

/**
 * Stored content differs from what was written. HTTP responses to this error have status 503 with
 * Retry-After.
 */
export class DamageError extends AppError {
  readonly place: DamageLocation;

  constructor(place: DamageLocation, cause?: unknown) {
    super("unavailable", DAMAGE_MESSAGES[place.part], {
      retryAfterSeconds: RETRY_SECONDS,
      isLasting: true,
      cause,
    });
    this.name = "DamageError";
    this.place = place;
  }
}

const DAMAGE_MESSAGES = {
  "reading copy": {
    en: "What is stored here is damaged and is being made again; try again in a minute",
    de: "Was hier gespeichert ist, ist beschädigt und wird neu aufgebaut: Versuchen Sie es in einer Minute noch einmal",
  },
  record: {
    en: "What is stored here is damaged. The operator has to restore it from a backup",
    de: "Was hier gespeichert ist, ist beschädigt: Wer den Server betreibt, muss es aus einer Sicherung zurückholen",
  },
} as const satisfies Record<DamageLocation["part"], Wording>;

const watchers = new Set<(place: DamageLocation) => void>();

/**
 * Calls `watcher` for all damage to the record that this process finds, even damage that callers
 * handle.
 */
export function onRecordDamage(watcher: (place: DamageLocation) => void): Disposable {
  watchers.add(watcher);
  return { [Symbol.dispose]: () => watchers.delete(watcher) };
}

/**
 * Notifies the watchers that the record is damaged: in one row, in the whole table if `row` is
 * null, or in the whole file if `table` is null too.
 *
 * @returns the error to throw.
 */
export function reportRecordDamage(
  table: string | null,
  row: string | null,
  cause?: unknown,
): DamageError {
  const damage = new DamageError({ part: "record", table, row }, cause);
  for (const watch of watchers) watch(damage.place);
  return damage;
}

/**
 * Returns null for a {@link DamageError}, so that the caller can skip a damaged item. Watchers have
 * been notified of it already. Rethrows other errors.
 */
export function nullIfDamageError(error: unknown): null {
  if (error instanceof DamageError) return null;
  throw error;
}

/** Formats a damaged place as `part, table, row`. */
export function formatDamageLocation({ part, table, row }: DamageLocation): string {
  return [part, table, row].filter((word) => word !== null).join(", ");
}
