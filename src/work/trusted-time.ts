import type { Log } from "../log.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Wall and monotonic clock may drift this far apart before it counts as a jump. */
const JUMP_MILLISECONDS = 10 * SECOND;
const STEADY_MILLISECONDS = 10 * MINUTE;
/** The time may have gone on this far since it was last seen, as after a short stop. */
const STOP_MILLISECONDS_MAX = HOUR;
/** Processes on one record save times of clocks that differ a little. */
const SKEW_MILLISECONDS_MAX = MINUTE;
/** Leaps longer than this also begin the running time anew. */
const LEAP_MILLISECONDS = DAY;
const RUNNING_MILLISECONDS = DAY;
const SAVE_EVERY_MILLISECONDS = MINUTE;

/**
 * What a task of the clock does, hence which time it needs: `publishes` what was not public, `destroys`
 * what cannot be brought back, `sends` what waits in a queue, `counts` what happened.
 */
export type TaskKind = "publishes" | "destroys" | "sends" | "counts";

/** What the record remembers of the time. */
export interface SeenTime {
  /** ISO 8601, UTC: the last time that was trusted. */
  at: string;
  /** For how long the site has run on a steady clock since the last leap, over restarts. */
  ranMilliseconds: number;
}

export interface SeenTimeStore {
  /** Without a saved time that of the latest change, with a running time of 0; null: a new record. */
  load(): Promise<SeenTime | null>;
  save(seen: SeenTime): Promise<void>;
}

export interface TrustedTimeParts {
  store: SeenTimeStore;
  now: () => Date;
  /** Milliseconds that go on evenly, whatever the wall clock does. */
  monotonic: () => number;
  log: Pick<Log, "info" | "warn">;
}

interface Moment {
  wall: number;
  monotonic: number;
}

/**
 * Judges the wall clock by the monotonic one and by the time the record saw last. Publishing waits until
 * both clocks have agreed for 10 minutes; destroying until the site has also run for 24 hours.
 */
export class TrustedTime {
  readonly #parts: TrustedTimeParts;
  /** Where the two clocks are compared from. */
  #anchor: Moment;
  #looked: Moment;
  /** By the monotonic clock. */
  #steadyFrom: number;
  #savedAt = Number.NEGATIVE_INFINITY;
  #seenAt: string;
  #ran: number;
  #isWaiting = false;
  #jumps = 0;

  private constructor(parts: TrustedTimeParts, seen: SeenTime | null) {
    this.#parts = parts;
    this.#anchor = this.#moment();
    const { wall, monotonic } = this.#anchor;
    this.#looked = this.#anchor;
    this.#steadyFrom = monotonic;
    this.#seenAt = seen?.at ?? new Date(wall).toISOString();
    this.#ran = seen?.ranMilliseconds ?? 0;
    const away = wall - Date.parse(this.#seenAt);
    if (away < -SKEW_MILLISECONDS_MAX || away > STOP_MILLISECONDS_MAX) {
      this.#distrust(away, "The clock is far from the time this site ran last");
    }
  }

  /** @throws what the store throws. */
  static async open(parts: TrustedTimeParts): Promise<TrustedTime> {
    return new TrustedTime(parts, await parts.store.load());
  }

  /** How often the wall clock has jumped since the start. */
  get jumps(): number {
    return this.#jumps;
  }

  /** Asks the clocks, between two looks too. */
  get isSteady(): boolean {
    return !this.#isWaiting && Math.abs(this.#driftAt(this.#moment())) <= JUMP_MILLISECONDS;
  }

  /** May a task of this kind run with the time that was judged last? */
  allows(kind: TaskKind): boolean {
    switch (kind) {
      case "publishes":
        return !this.#isWaiting;
      case "destroys":
        return !this.#isWaiting && this.#ran >= RUNNING_MILLISECONDS;
      case "sends":
      case "counts":
        return true;
    }
  }

  /**
   * Compares the clocks; call it before each round of tasks.
   *
   * @returns the time that was judged, for the tasks: the clock may jump meanwhile.
   * @throws what the store throws.
   */
  async look(): Promise<Date> {
    const moment = this.#moment();
    const elapsed = moment.monotonic - this.#looked.monotonic;
    this.#looked = moment;
    const drift = this.#driftAt(moment);
    if (Math.abs(drift) > JUMP_MILLISECONDS) {
      this.#jumps += 1;
      this.#anchor = moment;
      this.#steadyFrom = moment.monotonic;
      this.#distrust(drift, "The clock jumped");
    } else if (!this.#isWaiting) {
      this.#ran += elapsed;
    } else if (moment.monotonic - this.#steadyFrom >= STEADY_MILLISECONDS) {
      this.#isWaiting = false;
      this.#parts.log.info("The clock has been steady for 10 minutes: publishing resumes");
    }
    if (moment.monotonic - this.#anchor.monotonic >= STEADY_MILLISECONDS) this.#anchor = moment;
    if (moment.monotonic - this.#savedAt >= SAVE_EVERY_MILLISECONDS) await this.save();
    return new Date(moment.wall);
  }

  /** Call also before the process ends. @throws what the store throws. */
  async save(): Promise<void> {
    const { wall, monotonic } = this.#looked;
    if (!this.#isWaiting) this.#seenAt = new Date(wall).toISOString();
    await this.#parts.store.save({ at: this.#seenAt, ranMilliseconds: this.#ran });
    this.#savedAt = monotonic;
  }

  #distrust(milliseconds: number, message: string): void {
    const { wall } = this.#looked;
    this.#isWaiting = true;
    this.#savedAt = Number.NEGATIVE_INFINITY;
    if (Math.abs(milliseconds) > LEAP_MILLISECONDS) this.#ran = 0;
    const from = new Date(wall - milliseconds).toISOString();
    const line = { from, to: new Date(wall).toISOString() };
    const hours = Math.ceil(Math.max(0, RUNNING_MILLISECONDS - this.#ran) / HOUR);
    this.#parts.log.warn(
      line,
      `${message}: publishing waits until it has been steady for 10 minutes, purging for ${hours} hours of running time`,
    );
  }

  #driftAt({ wall, monotonic }: Moment): number {
    return wall - this.#anchor.wall - (monotonic - this.#anchor.monotonic);
  }

  #moment(): Moment {
    return { wall: this.#parts.now().getTime(), monotonic: this.#parts.monotonic() };
  }
}
