import { AppError } from "../../errors.ts";

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
    super("unavailable", MESSAGES[place.part], {
      retryAfterSeconds: RETRY_SECONDS,
      isLasting: true,
      cause,
    });
    this.name = "DamageError";
    this.place = place;
  }
}

const MESSAGES = {
  "reading copy": "What is stored here is damaged and is being made again; try again in a minute",
  record: "What is stored here is damaged. The operator has to restore it from a backup",
} as const;

const watchers = new Set<(place: DamagedPlace) => void>();

/** Is called with all damage of the record that this process meets, whatever then becomes of it. */
export function onRecordDamage(watcher: (place: DamagedPlace) => void): Disposable {
  watchers.add(watcher);
  return { [Symbol.dispose]: () => watchers.delete(watcher) };
}

/** The error for a damaged row of the record, or for its file (null), which watchers are told of. */
export function recordDamage(
  table: string | null,
  row: string | null,
  cause?: unknown,
): DamageError {
  const damage = new DamageError({ part: "record", table, row }, cause);
  for (const watch of watchers) watch(damage.place);
  return damage;
}

/** For what leaves damaged items out; watchers of the record were told. Throws all other errors. */
export function nullIfDamaged(error: unknown): null {
  if (error instanceof DamageError) return null;
  throw error;
}

/** `table row`, as logs and the command line show it. */
export function placeText({ part, table, row }: DamagedPlace): string {
  return [part, table, row].filter((word) => word !== null).join(", ");
}
