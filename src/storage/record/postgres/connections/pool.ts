import { Client, type ClientConfig, Pool, types } from "pg";
import { DatabaseSockets } from "./sockets.ts";

const CONNECT_MILLISECONDS_MAX = 1200;
const IDLE_MILLISECONDS_MAX = 60_000;
/** Limit on slow statements. A hung server is detected sooner (`hang-detector.ts`). */
const QUERY_MILLISECONDS_MAX = 27_000;
/**
 * Longest wait of a statement for a lock. A read then takes less than three seconds, including its
 * wait for a connection. Writing transactions set their own limit.
 */
export const LOCK_WAIT_MILLISECONDS_MAX = 1200;
const KEEP_ALIVE_MILLISECONDS = 10_000;

/** Connections of an instance: one for writing, the others for reading. */
export const POOL_CONNECTIONS_MAX = 9;

/** Longest wait on close for connections in use, such as a snapshot being read. */
const CLOSE_MILLISECONDS_MAX = 3000;

export interface PoolOptions {
  max?: number;
  /** Aborts shortly before the record closes: see {@link DatabaseSockets}. */
  stopSignal?: AbortSignal | undefined;
}

/**
 * Limits only the time to connect. The limit of the pool would also include the wait for a free
 * connection.
 */
class QuickClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX });
  }
}

/** Connections to the record. Ignores errors of idle connections, which the pool replaces. */
export class RecordPool extends Pool {
  readonly #sockets: DatabaseSockets;

  constructor(url: string, { max = POOL_CONNECTIONS_MAX, stopSignal }: PoolOptions = {}) {
    const sockets = new DatabaseSockets(stopSignal);
    super({
      connectionString: url,
      application_name: "commonplace",
      max,
      idleTimeoutMillis: IDLE_MILLISECONDS_MAX,
      query_timeout: QUERY_MILLISECONDS_MAX,
      lock_timeout: LOCK_WAIT_MILLISECONDS_MAX,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
      types: { getTypeParser },
      stream: sockets.open,
      Client: QuickClient,
    });
    this.#sockets = sockets;
    this.on("error", () => {});
    // Ignores the error of a connection in use, because its query also fails and reports the error.
    this.on("connect", (client) => client.on("error", () => {}));
  }

  /** Waits up to `CLOSE_MILLISECONDS_MAX` for connections in use, then destroys them. */
  async close(): Promise<void> {
    await this.#sockets.closeAfter(this.end(), CLOSE_MILLISECONDS_MAX);
  }
}

/** Parses int8 as a number: counts and sequences of the record are far below 2^53. */
export const getTypeParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format);
