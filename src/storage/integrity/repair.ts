import { isTransientError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { DamageRegister } from "./damage-register.ts";

/**
 * The delay before each attempt of a series. After the last attempt, a new series starts only when
 * the process restarts or a day has passed.
 */
const DELAYS_SECONDS = [0, 10, 60, 600, 3600] as const;
/** Damage that is found this long after the last attempt starts a new series. */
const RESET_SECONDS = 24 * 3600;

/** Rebuilds a damaged reading copy from the record, at most five times a day. */
export class ReadingCopyRepair implements BackgroundWorker {
  readonly #damages: DamageRegister;
  readonly #rebuild: () => Promise<void>;
  readonly #log: Log;
  #attempts = 0;
  #nextAt = 0;
  #running: Promise<void> | null = null;

  constructor({
    damages,
    rebuild,
    log,
  }: {
    damages: DamageRegister;
    rebuild: () => Promise<void>;
    log: Log;
  }) {
    this.#damages = damages;
    this.#rebuild = rebuild;
    this.#log = log;
  }

  async work(): Promise<void> {
    if (this.#running !== null || !this.#damages.isDamaged("reading copy")) return;
    const now = performance.now();
    if (now > this.#nextAt + RESET_SECONDS * 1000) this.#attempts = 0;
    if (now < this.#nextAt || this.#attempts >= DELAYS_SECONDS.length) return;
    this.#running = this.#attempt().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    await this.#running;
  }

  async #attempt(): Promise<void> {
    this.#attempts += 1;
    const startedAt = performance.now();
    try {
      await this.#rebuild();
      this.#damages.clear("reading copy");
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      this.#log.info({ seconds, attempt: this.#attempts }, "The reading copy was rebuilt");
    } catch (err) {
      const attemptsLeft = DELAYS_SECONDS.length - this.#attempts;
      if (!isTransientError(err) || attemptsLeft === 0) {
        this.#log.error({ err, attemptsLeft }, "The reading copy cannot be rebuilt");
      }
    } finally {
      this.#nextAt = performance.now() + (DELAYS_SECONDS[this.#attempts] ?? 0) * 1000;
    }
  }
}
