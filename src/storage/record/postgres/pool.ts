import { Client, type ClientConfig, Pool, types } from "pg";
import { Sockets } from "./sockets.ts";

const CONNECT_MILLISECONDS_MAX = 1200;
const IDLE_MILLISECONDS_MAX = 60_000;
/** For work that takes long by its nature; a server that hangs is found out sooner (`watch.ts`). */
const QUERY_MILLISECONDS_MAX = 27_000;
/** For every statement; a transaction that writes sets its own. */
export const LOCK_MILLISECONDS_MAX = 1500;
const KEEP_ALIVE_MILLISECONDS = 10_000;

/** Connections of an instance: one writes, the others read. */
export const CONNECTIONS_MAX = 9;

/** A snapshot that somebody still reads is not waited for longer. */
const CLOSE_MILLISECONDS_MAX = 3000;

export interface PoolOptions {
  max?: number;
  /** Aborted when the process is about to close the record: see {@link Sockets}. */
  ending?: AbortSignal | undefined;
}

/** A pool has one time limit for connecting and for waiting for a free connection; only the first is wanted. */
class QuickClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX });
  }
}

/**
 * Connections to the record; what befalls one that nobody uses is forgotten, and the next is made anew.
 */
export class RecordPool extends Pool {
  readonly #sockets: Sockets;

  constructor(url: string, { max = CONNECTIONS_MAX, ending }: PoolOptions = {}) {
    const sockets = new Sockets(ending);
    super({
      connectionString: url,
      application_name: "commonplace",
      max,
      idleTimeoutMillis: IDLE_MILLISECONDS_MAX,
      query_timeout: QUERY_MILLISECONDS_MAX,
      lock_timeout: LOCK_MILLISECONDS_MAX,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
      types: { getTypeParser },
      stream: sockets.open,
      Client: QuickClient,
    });
    this.#sockets = sockets;
    this.on("error", () => {});
    // One in use tells its user by the failing query, and nobody else needs to know.
    this.on("connect", (client) => client.on("error", () => {}));
  }

  /** Waits a few seconds for those at work, and then for nobody. */
  async close(): Promise<void> {
    await this.#sockets.closedAfter(this.end(), CLOSE_MILLISECONDS_MAX);
  }
}

/** Counts and numbers of the record are far below 2^53. */
export const getTypeParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format);
