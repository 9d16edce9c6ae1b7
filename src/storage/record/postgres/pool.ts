import { Client, type ClientConfig, Pool, types } from "pg";

const CONNECT_MILLISECONDS_MAX = 2000;
const IDLE_MILLISECONDS_MAX = 60_000;
/** Longer than the wait for the lock of all writing, shorter than a caller waits. */
const QUERY_MILLISECONDS_MAX = 27_000;
const KEEP_ALIVE_MILLISECONDS = 10_000;

/** Connections of an instance: one writes, the others read. */
export const CONNECTIONS_MAX = 9;

/** A pool has one time limit for connecting and for waiting for a free connection; only the first is wanted. */
class QuickClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX });
  }
}

/** Connections to the record; what befalls one that nobody uses is forgotten, and the next is made anew. */
export function openPool(url: string, max: number = CONNECTIONS_MAX): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: "commonplace",
    max,
    idleTimeoutMillis: IDLE_MILLISECONDS_MAX,
    query_timeout: QUERY_MILLISECONDS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
    types: { getTypeParser },
    Client: QuickClient,
  });
  pool.on("error", () => {});
  // One in use tells its user by the failing query, and nobody else needs to know.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Counts and numbers of the record are far below 2^53. */
export const getTypeParser: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format);
