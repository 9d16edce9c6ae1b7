import type { Pool, PoolClient } from "pg";
import { storeClosedError } from "../../group-commit.ts";
import { needsNewConnection } from "./database-errors.ts";
import type { HangDetector } from "./hang-detector.ts";
import { LOCK_WAIT_MILLISECONDS_MAX } from "./pool.ts";
import type { DatabaseReachability } from "./reach.ts";
import type { Statement } from "./statement-batch.ts";

interface Session {
  client: Promise<PoolClient>;
  /** Number of reads that have no answer yet. */
  pending: number;
}

/**
 * Pipelines the reads of many callers over one connection. Holds the connection only while reads
 * are pending.
 */
export class PipelinedReader {
  readonly #parts: { pool: Pool; reach: DatabaseReachability; watch: HangDetector };
  #session: Session | null = null;

  constructor(parts: { pool: Pool; reach: DatabaseReachability; watch: HangDetector }) {
    this.#parts = parts;
  }

  /**
   * @throws {AppError} `unavailable` for faults that the operator or another session has caused.
   */
  async read({ sql, parameters }: Statement): Promise<unknown[]> {
    const { pool, reach, watch } = this.#parts;
    if (pool.ending) throw storeClosedError();
    const startedAt = performance.now();
    this.#session ??= { client: pool.connect(), pending: 0 };
    const session = this.#session;
    session.pending += 1;
    let isBroken = false;
    try {
      const client = await session.client;
      const { rows } = await watch.during(client.query(sql, [...parameters]));
      reach.noteRoundTrip(performance.now() - startedAt);
      return rows;
    } catch (error) {
      isBroken = needsNewConnection(error);
      reach.failed(error);
      throw reach.translate(error, LOCK_WAIT_MILLISECONDS_MAX);
    } finally {
      session.pending -= 1;
      if (isBroken || session.pending === 0) this.#release(session, isBroken);
    }
  }

  /**
   * Returns the connection to the pool. Called by the last pending read, or by the first read that
   * finds the connection broken.
   */
  #release(session: Session, isBroken: boolean): void {
    if (this.#session !== session) return;
    this.#session = null;
    session.client.then(
      (client) => client.release(isBroken),
      () => {},
    );
  }
}
