import type { Log } from "../../log.ts";
import { type DamageLocation, formatDamageLocation, onRecordDamage } from "../sqlite/damage.ts";

/**
 * Limit on the damaged places (rows, tables or files) stored per part. A part is the record or the reading
 * copy. Further places are only counted.
 */
const PLACES_MAX = 1000;
/** Limit on the damaged places logged per part. Logging resumes once that part is intact again. */
const LOGGED_MAX = 20;

type Part = DamageLocation["part"];

/**
 * Records the damaged places that this process finds, each only once. Create it before opening the
 * record, because opening may build a reading copy and find damaged items.
 */
export class DamageRegister implements Disposable {
  readonly #log: Pick<Log, "error" | "info">;
  readonly #firstProcess: Pick<DamageRegister, "isDamaged"> | undefined;
  readonly #known: Readonly<Record<Part, Map<string, DamageLocation>>> = {
    "reading copy": new Map(),
    record: new Map(),
  };
  readonly #listener: Disposable;
  #found = 0;

  /** `firstProcess`: in a worker, the damage that the first process has found. */
  constructor(log: Pick<Log, "error" | "info">, firstProcess?: Pick<DamageRegister, "isDamaged">) {
    this.#log = log;
    this.#firstProcess = firstProcess;
    this.#listener = onRecordDamage(this.note);
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }

  readonly note = (place: DamageLocation): void => {
    const known = this.#known[place.part];
    const text = formatDamageLocation(place);
    if (known.has(text)) return;
    this.#found += 1;
    if (known.size >= PLACES_MAX) return;
    known.set(text, place);
    if (known.size > LOGGED_MAX) return;
    const { part, table, row } = place;
    const advice = part === "record" ? "Restore a backup" : "It is rebuilt from the record";
    this.#log.error({ part, table, row }, `The ${part} is damaged. ${advice}`);
  };

  /** Call when a part was rebuilt, or a complete check found no damage in it. */
  clear(part: Part): void {
    const known = this.#known[part];
    if (known.size === 0) return;
    known.clear();
    this.#log.info({ part }, `The ${part} is whole again`);
  }

  isDamaged(part: Part): boolean {
    return this.#known[part].size > 0 || this.#firstProcess?.isDamaged(part) === true;
  }

  /** Damaged places found since the start of this process. */
  get found(): number {
    return this.#found;
  }
}
