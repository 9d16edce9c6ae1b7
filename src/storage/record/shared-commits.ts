import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { AppError } from "../../errors.ts";
import { translateFault } from "../sqlite/sqlite-faults.ts";
import type { RecordTables } from "./tables.ts";

const CHANGES_MAX = 100;
/** A caller hears within three seconds, of which the transaction itself may take some. */
const WAIT_MILLISECONDS_MAX = 1500;
const RETRY_SECONDS = 2;

/** A change that waits for its turn. */
interface Waiting {
  /** @returns what tells the caller that it is done. */
  make(db: Kysely<RecordTables>): Promise<() => void>;
  refuse(error: unknown): void;
  /** Refuses it if it still waits then. */
  deadline: NodeJS.Timeout;
}

interface SharedCommitsOptions {
  /** Nobody waits longer for those who came later. */
  millisecondsMax: number;
  /** Runs a change as a transaction. @returns what waits until it shows where it was asked for. */
  transact(
    change: (db: Kysely<RecordTables>) => Promise<void>,
  ): Promise<{ shown(): Promise<void> }>;
  /** Is there still a transaction? SQLite undoes one by itself when the disk is full. */
  isInTransaction(): boolean;
  /** Notes what a change leaves beside the tables. @returns what undoes that. */
  mark(): () => void;
}

/** The transaction failed by what changes before it had sent. */
class FailedBefore extends Error {}

/**
 * Changes that are asked for in the same turn of the event loop become one transaction, as bringing it
 * to disk costs more than most of them. Each is undone by itself if it fails, and nobody is told that
 * a change is done before it is on disk.
 */
export class SharedCommits {
  readonly #options: SharedCommitsOptions;
  readonly #waiting: Waiting[] = [];
  #work: Promise<void> | null = null;
  readonly #telling = new Set<Promise<void>>();

  constructor(options: SharedCommitsOptions) {
    this.#options = options;
  }

  run<T>(change: (db: Kysely<RecordTables>) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const make = async (db: Kysely<RecordTables>) => {
      const result = await change(db);
      return () => resolve(result);
    };
    const waiting = {
      make,
      refuse: reject,
      deadline: setTimeout(() => this.#expire(waiting), WAIT_MILLISECONDS_MAX),
    };
    this.#waiting.push(waiting);
    this.#work ??= this.#makeAll();
    return promise;
  }

  /** Resolves when nothing waits any more. */
  async ended(): Promise<void> {
    await this.#work;
    await Promise.all(this.#telling);
  }

  async #makeAll(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) await this.#transaction();
    this.#work = null;
  }

  async #transaction(): Promise<void> {
    const made: { change: Waiting; tell: () => void }[] = [];
    let begun: Waiting | undefined;
    try {
      const { shown } = await this.#options.transact(async (db) => {
        const end = performance.now() + this.#options.millisecondsMax;
        while (made.length < CHANGES_MAX && performance.now() < end) {
          begun = this.#waiting.shift();
          if (begun === undefined) return;
          clearTimeout(begun.deadline);
          const tell = made.length === 0 ? await begun.make(db) : await this.#part(db, begun);
          if (tell !== null) made.push({ change: begun, tell });
          begun = undefined;
        }
      });
      this.#tell(made, shown());
    } catch (error) {
      const undone = made.map(({ change }) => change);
      if (begun !== undefined && error instanceof FailedBefore) this.#waiting.unshift(begun);
      else if (begun !== undefined) undone.push(begun);
      // Without any it could not begin, which holds for all alike.
      for (const { refuse, deadline } of undone.length > 0 ? undone : this.#waiting.splice(0)) {
        clearTimeout(deadline);
        refuse(error instanceof FailedBefore ? error.cause : error);
      }
    }
  }

  #expire(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    waiting.refuse(busy());
  }

  /** The next need not wait for that. */
  #tell(made: readonly { tell: () => void }[], shown: Promise<void>): void {
    const telling = shown.then(() => {
      for (const { tell } of made) tell();
      this.#telling.delete(telling);
    });
    this.#telling.add(telling);
  }

  /** @returns null when it failed and was undone. */
  async #part(db: Kysely<RecordTables>, { make, refuse }: Waiting): Promise<(() => void) | null> {
    const undo = this.#options.mark();
    try {
      await sql`savepoint part`.execute(db);
    } catch (error) {
      throw new FailedBefore("A change before this one failed", { cause: error });
    }
    try {
      const tell = await make(db);
      await sql`release part`.execute(db);
      return tell;
    } catch (error) {
      if (!this.#options.isInTransaction()) throw error;
      await sql`rollback to part`.execute(db);
      await sql`release part`.execute(db);
      refuse(translateFault(error));
      undo();
      return null;
    }
  }
}

/** For a change that would have to wait too long behind others. */
export function busy(): AppError {
  return new AppError(
    "unavailable",
    `The store is busy: nothing was changed; try again in ${RETRY_SECONDS} seconds`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

/** For a change that cannot be undone by itself, as what others had told before would go with it. */
export function spoilt(): AppError {
  return new AppError(
    "unavailable",
    "Nothing was changed, as a large change beside it failed; repeat the request",
    { retryAfterSeconds: 1 },
  );
}
