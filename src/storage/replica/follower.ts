import { setTimeout as sleep } from "node:timers/promises";
import { isTransientError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { RepeatedErrorLogger } from "../../repeated-error-logger.ts";
import { asDamageError } from "../sqlite/sqlite-errors.ts";
import type { OnProgress } from "../whole-content.ts";
import { buildCopy, prepareCopyFolder } from "./building.ts";
import type { ChangeSource, RebuildReason } from "./change-source.ts";
import { readPositionOfUpdatableCopy, withLockFile } from "./copy-file.ts";
import type { FollowerState } from "./follower-state.ts";
import { WakeSignal } from "./wake-signal.ts";
import { WritableCopy } from "./writable-copy.ts";

const POLL_MILLISECONDS = 1000;
const FAULT_PAUSE_MILLISECONDS_MAX = 30_000;
const CAUGHT_UP_MILLISECONDS_MAX = 1500;
/** Delays up to this are normal and do not count as lagging. */
const CURRENT_SECONDS_MAX = 5;
const COPY_OUTDATED = "The reading copy cannot be brought up to date";

export interface FollowerOptions {
  /** The reading copy of this instance; built when missing, rebuilt when it cannot be updated. */
  file: string;
  /** Public origin; a copy built for another origin is rebuilt. */
  origin: string;
  source: ChangeSource;
  log: Log | null;
  onProgress?: OnProgress | undefined;
}

/** Keeps an instance's reading copy up to date with a record that other instances also write to. */
export interface Follower extends AsyncDisposable {
  /**
   * Resolves when the entry is applied here, or after 1.5 seconds. During a rebuild, the 1.5 seconds begin
   * when the copy fell behind, so that callers do not wait for a long rebuild.
   */
  untilApplied(sequence: number): Promise<void>;
  /**
   * Resolves when all changes committed before the call are applied. Has the same time limit as
   * `untilApplied`.
   */
  untilCurrent(): Promise<void>;
  /** Rebuilds the copy, unless another process is doing so; the old copy stays readable. */
  rebuild(why: string): Promise<void>;
  state(): FollowerState;
  close(): Promise<void>;
}

/**
 * Opens a follower. Resolves when the copy is current.
 * @throws {AppError} `unavailable` when the log cannot be read.
 */
export async function openFollower(options: FollowerOptions): Promise<Follower> {
  const follower = new LogFollower(options);
  try {
    await follower.start();
  } catch (error) {
    await follower.close();
    throw error;
  }
  return follower;
}

class LogFollower implements Follower {
  readonly #options: FollowerOptions;
  readonly #closing = new AbortController();
  readonly #wake = new WakeSignal();
  readonly #waiting = new Set<{ sequence: number; resolve: () => void }>();
  #copy: WritableCopy | null = null;
  #subscription: Disposable | null = null;
  #running: Promise<void> | null = null;
  /** Serializes uses of the copy. */
  #turn: Promise<unknown> = Promise.resolve();
  #position = 0;
  /** Time at which the copy fell behind, from `performance.now()`; null if the copy is current. */
  #behindSince: number | null = null;
  /** Why the copy is being rebuilt. */
  #rebuilding: RebuildReason | null = null;
  #isReachable = true;
  readonly #repeated: RepeatedErrorLogger;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#repeated = new RepeatedErrorLogger(options.log);
  }

  async start(): Promise<void> {
    const { file, origin, source } = this.#options;
    prepareCopyFolder(file);
    if (readPositionOfUpdatableCopy(file, origin) === null) {
      await this.#rebuild({ why: "No usable copy exists", everywhere: false });
    }
    await this.#catchUp().catch((error: unknown) => this.#restart(error));
    this.#subscription = source.listen(() => this.#wake.notify());
    this.#running = this.#follow();
  }

  /** Rebuilds the copy after a failure, because damage can make any write to it fail. */
  async #restart(error: unknown): Promise<void> {
    if (isTransientError(error) || this.#closing.signal.aborted) throw error;
    this.#options.log?.warn({ err: error }, COPY_OUTDATED);
    await this.#rebuild({ why: "It cannot be brought up to date", everywhere: false });
    await this.#catchUp();
  }

  async untilApplied(sequence: number): Promise<void> {
    const waitMilliseconds = this.#waitMilliseconds();
    if (this.#position >= sequence || waitMilliseconds <= 0 || this.#closing.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { sequence, resolve };
    this.#waiting.add(waiter);
    this.#wake.notify();
    const timer = setTimeout(resolve, waitMilliseconds);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(waiter);
  }

  async untilCurrent(): Promise<void> {
    const waitMilliseconds = this.#waitMilliseconds();
    if (waitMilliseconds <= 0 || this.#closing.signal.aborted) return;
    const { promise: givenUp, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMilliseconds);
    // The background loop retries failures and logs them.
    const caughtUp = this.#serialized(() => this.#catchUp()).catch(() => {});
    await Promise.race([caughtUp, givenUp]);
    clearTimeout(timer);
  }

  async rebuild(why: string): Promise<void> {
    await this.#serialized(async () => {
      await this.#rebuild({ why, everywhere: false });
      await this.#advance();
    });
  }

  state(): FollowerState {
    const lagSeconds = this.#lagMilliseconds() / 1000;
    return {
      position: this.#position,
      isCurrent:
        this.#rebuilding === null ? lagSeconds <= CURRENT_SECONDS_MAX : this.#rebuilding.everywhere,
      lagSeconds,
      isReachable: this.#isReachable,
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake.notify();
    this.#subscription?.[Symbol.dispose]();
    for (const { resolve } of this.#waiting) resolve();
    await this.#running;
    const copy = this.#copy;
    this.#copy = null;
    await copy?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    let faults = 0;
    while (!signal.aborted) {
      await this.#wake.wait(POLL_MILLISECONDS);
      if (signal.aborted) return;
      try {
        await this.#serialized(() => this.#catchUp());
        faults = 0;
        this.#repeated.succeeded(COPY_OUTDATED);
      } catch (error) {
        if (signal.aborted) return;
        // The database connection logs transient faults.
        if (isTransientError(error)) continue;
        faults += 1;
        this.#repeated.failed(COPY_OUTDATED, error);
        const pause = Math.min(POLL_MILLISECONDS * 2 ** faults, FAULT_PAUSE_MILLISECONDS_MAX);
        await sleep(pause, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #catchUp(): Promise<void> {
    const reason = await this.#advance().catch((error: unknown) => {
      if (asDamageError(error, "reading copy") === null) throw error;
      return { why: "It is damaged", everywhere: false };
    });
    if (reason === null) return;
    await this.#rebuild(reason);
    const secondReason = await this.#advance();
    if (secondReason !== null)
      throw new Error(`A new reading copy cannot follow the log: ${secondReason.why}`);
  }

  /** @returns null if the copy is current, otherwise why it must be rebuilt. */
  async #advance(): Promise<RebuildReason | null> {
    const { source, file, origin } = this.#options;
    this.#copy ??= new WritableCopy(file, origin);
    for (;;) {
      const copyPosition = this.#copy.position();
      this.#show(copyPosition.position);
      const tail = await this.#trackReach(() => source.after(copyPosition));
      if (tail.kind === "current") {
        this.#behindSince = null;
        return null;
      }
      if (tail.kind === "lost") return tail;
      this.#behindSince = performance.now() - tail.lagSeconds * 1000;
      this.#closing.signal.throwIfAborted();
      const reason = await this.#copy.apply(tail.entries, source);
      if (reason !== null) return reason;
    }
  }

  async #rebuild(reason: RebuildReason): Promise<void> {
    const { file, origin, source, log, onProgress = () => {} } = this.#options;
    const { signal } = this.#closing;
    const before = readPositionOfUpdatableCopy(file, origin);
    const isNeeded = () => {
      const copyPosition = readPositionOfUpdatableCopy(file, origin);
      return (
        copyPosition === null ||
        (copyPosition.buildId === before?.buildId && copyPosition.position === before.position)
      );
    };
    log?.info({ why: reason.why }, "Rebuilding the reading copy");
    const start = performance.now();
    this.#rebuilding = reason;
    this.#behindSince ??= start;
    try {
      const buildOptions = { file, origin, source, onProgress, signal };
      await this.#trackReach(() =>
        withLockFile(file, { isNeeded, signal }, () => buildCopy(buildOptions)),
      );
      await this.#copy?.[Symbol.asyncDispose]();
      this.#copy = new WritableCopy(file, origin);
    } finally {
      this.#rebuilding = null;
    }
    const seconds = Math.round((performance.now() - start) / 1000);
    log?.info({ seconds }, "The reading copy is rebuilt");
  }

  #lagMilliseconds(): number {
    return this.#behindSince === null ? 0 : performance.now() - this.#behindSince;
  }

  /**
   * How long callers wait for the copy to catch up. During a rebuild, the time since the copy fell behind
   * is deducted. Callers therefore wait for a short rebuild, but not for a long one.
   */
  #waitMilliseconds(): number {
    const waited = this.#rebuilding === null ? 0 : this.#lagMilliseconds();
    return CAUGHT_UP_MILLISECONDS_MAX - waited;
  }

  #show(position: number): void {
    this.#position = position;
    for (const { sequence, resolve } of this.#waiting) if (sequence <= position) resolve();
  }

  async #trackReach<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#isReachable = true;
      return answer;
    } catch (error) {
      if (isTransientError(error)) this.#isReachable = false;
      throw error;
    }
  }

  async #serialized<T>(use: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(use);
    this.#turn = result.catch(() => {});
    return await result;
  }
}
