import type { Pool, PoolClient } from "pg";
import { faultKind } from "./faults.ts";
import { LOCK_MILLISECONDS_MAX } from "./pool.ts";
import type { Reach } from "./reach.ts";
import type { Statement } from "./statement-batch.ts";
import type { Watch } from "./watch.ts";

/**
 * Reads of many callers over one connection, each sent without waiting for the answers of the others. It
 * is held while there are any.
 */
export class PipelinedReader {
  readonly #parts: { pool: Pool; reach: Reach; watch: Watch };
  #client: Promise<PoolClient> | null = null;
  #users = 0;

  constructor(parts: { pool: Pool; reach: Reach; watch: Watch }) {
    this.#parts = parts;
  }

  /** @throws {AppError} `unavailable` for what the operator or another session causes. */
  async read({ sql, parameters }: Statement): Promise<unknown[]> {
    const { pool, reach, watch } = this.#parts;
    const begun = performance.now();
    this.#client ??= pool.connect();
    const own = this.#client;
    this.#users += 1;
    let isBroken = false;
    try {
      const client = await own;
      const { rows } = await watch.during(client.query(sql, [...parameters]));
      reach.took(performance.now() - begun);
      return rows;
    } catch (error) {
      isBroken = faultKind(error) !== "locked";
      reach.failed(error);
      throw reach.worded(error, LOCK_MILLISECONDS_MAX);
    } finally {
      this.#users -= 1;
      if (isBroken || this.#users === 0) this.#release(own, isBroken);
    }
  }

  /** The first who finds it broken, or the last, gives it back. */
  #release(client: Promise<PoolClient>, isBroken: boolean): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.then(
      (held) => held.release(isBroken),
      () => {},
    );
  }
}
