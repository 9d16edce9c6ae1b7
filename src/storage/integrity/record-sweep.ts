import { setTimeout as pause } from "node:timers/promises";
import { isTransientError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { DamageLocation } from "../sqlite/damage.ts";
import type { DamageRegister } from "./damage-register.ts";

/** Pause after each query, as a multiple of the query's duration. */
const REST_FACTOR = 4;
const REST_MILLISECONDS_MIN = 20;
/** Pause after each sweep, unless `PAUSE_FACTOR` gives a longer one. */
const PAUSE_SECONDS_MIN = 600;
/** The pause lasts at least this many times as long as the sweep. */
const PAUSE_FACTOR = 10;

/** Checks the rows of a record in PostgreSQL repeatedly, one small query at a time. */
export class RecordDamageSweep implements BackgroundWorker {
  readonly #checkRows: () => AsyncGenerator<DamageLocation | null>;
  readonly #damages: DamageRegister;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #nextAt = 0;

  constructor(
    checkRows: () => AsyncGenerator<DamageLocation | null>,
    { damages, log }: { damages: DamageRegister; log: Log },
  ) {
    this.#checkRows = checkRows;
    this.#damages = damages;
    this.#log = log;
  }

  async work(): Promise<void> {
    if (this.#running !== null || performance.now() < this.#nextAt) return;
    const startedAt = performance.now();
    this.#running = this.#sweep()
      .catch((err: unknown) => {
        if (this.#stopping.signal.aborted || isTransientError(err)) return;
        this.#log.error({ err }, "The check of the record failed");
      })
      .finally(() => {
        const seconds = (performance.now() - startedAt) / 1000;
        const pauseSeconds = Math.max(PAUSE_SECONDS_MIN, PAUSE_FACTOR * seconds);
        this.#nextAt = performance.now() + pauseSeconds * 1000;
        this.#running = null;
      });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #sweep(): Promise<void> {
    const { signal } = this.#stopping;
    let queryStart = performance.now();
    for await (const place of this.#checkRows()) {
      signal.throwIfAborted();
      if (place !== null) {
        this.#damages.note(place);
        continue;
      }
      const rest = REST_FACTOR * (performance.now() - queryStart);
      await pause(Math.max(REST_MILLISECONDS_MIN, rest), undefined, { signal });
      queryStart = performance.now();
    }
  }
}
