import { containsCredential } from "../access/credentials.ts";
import type { Log } from "../log.ts";
import type { HttpRequest } from "./exchange.ts";

const WINDOW_MILLISECONDS = 60_000;
/** Maximum number of lines logged for one status in a time window. */
const LINES_MAX = 20;

/**
 * Logs requests. Served pages are logged only at `debug`, because writing a line costs more than
 * serving the page. Statuses that anyone can provoke are logged up to a limit per time window, then
 * only counted. Thus strangers cannot fill the disk.
 */
export class RequestLog {
  readonly #log: Pick<Log, "debug" | "info">;
  /** Number of answers in this time window, keyed by status. */
  readonly #counts = new Map<number, number>();
  #window: NodeJS.Timeout | undefined;

  constructor(log: Pick<Log, "debug" | "info">) {
    this.#log = log;
  }

  /** Logs or counts an answer. `started` is a time from `performance.now()`. */
  logResponse(
    { id: requestId, method, url }: HttpRequest,
    { status, started }: { status: number; started: number },
  ): void {
    const path = status === 400 && containsCredential(url.pathname) ? "[refused]" : url.pathname;
    const milliseconds = Math.round(performance.now() - started);
    const line = { requestId, method, path, status, milliseconds };
    const isLogged = isServed(status) ? false : !canBeProvoked(status) || this.#hasRoom(status);
    if (isLogged) this.#log.info(line, "Answered");
    else this.#log.debug(line, "Answered");
  }

  #hasRoom(status: number): boolean {
    this.#window ??= setTimeout(() => this.#endWindow(), WINDOW_MILLISECONDS).unref();
    const count = (this.#counts.get(status) ?? 0) + 1;
    this.#counts.set(status, count);
    return count <= LINES_MAX;
  }

  #endWindow(): void {
    this.#window = undefined;
    for (const [status, count] of this.#counts) {
      const more = count - LINES_MAX;
      if (more > 0) this.#log.info({ status, more }, "Answered, not logged one by one");
    }
    this.#counts.clear();
  }
}

function isServed(status: number): boolean {
  return status === 200 || status === 206 || status === 304;
}

/** Whether anyone can provoke this status: redirects, client errors and refusals under load. */
function canBeProvoked(status: number): boolean {
  return (status >= 300 && status < 500) || status === 503;
}
