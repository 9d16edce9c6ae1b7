import { Client } from "pg";
import { DatabaseSockets } from "./sockets.ts";

/** An answer later than this triggers a probe. */
const PROBE_AFTER_MILLISECONDS = 400;
const PROBE_MILLISECONDS_MAX = 900;
const CHECK_INTERVAL_MILLISECONDS = 100;
const DISCONNECT_MILLISECONDS_MAX = 100;

interface PendingAnswer {
  since: number;
  giveUp(error: Error): void;
}

/**
 * Detects a server that hangs without reporting an error. If an answer is late, probes the server
 * on a new connection. If the probe succeeds, the statement is only slow and may continue.
 * Otherwise, all pending answers fail.
 */
export class HangDetector {
  readonly #url: string;
  readonly #pending = new Set<PendingAnswer>();
  #timer: NodeJS.Timeout | null = null;
  #isProbing = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Settles as `answer` does, but rejects with `ETIMEDOUT` if the server hangs. */
  during<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const pending = { since: performance.now(), giveUp: reject };
      this.#pending.add(pending);
      this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MILLISECONDS).unref();
      answer.then(
        (value) => {
          this.#pending.delete(pending);
          resolve(value);
        },
        (error: unknown) => {
          this.#pending.delete(pending);
          reject(error);
        },
      );
    });
  }

  #check(): void {
    if (this.#pending.size === 0) {
      if (this.#timer !== null) clearInterval(this.#timer);
      this.#timer = null;
      return;
    }
    const [oldest] = this.#pending;
    if (this.#isProbing || oldest === undefined) return;
    if (performance.now() - oldest.since < PROBE_AFTER_MILLISECONDS) return;
    this.#isProbing = true;
    const suspects = [...this.#pending];
    void isAlive(this.#url)
      .then((isServerAlive) => {
        if (isServerAlive) return;
        const hung = Object.assign(new Error("The server hangs"), { code: "ETIMEDOUT" });
        for (const pending of suspects) if (this.#pending.delete(pending)) pending.giveUp(hung);
      })
      .finally(() => {
        this.#isProbing = false;
      });
  }
}

/** Returns true even if the server refuses the connection with an error. */
async function isAlive(url: string): Promise<boolean> {
  const sockets = new DatabaseSockets();
  const client = new Client({
    connectionString: url,
    application_name: "commonplace probe",
    connectionTimeoutMillis: PROBE_MILLISECONDS_MAX,
    query_timeout: PROBE_MILLISECONDS_MAX,
    stream: sockets.open,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch (error) {
    return error instanceof Error && "severity" in error;
  } finally {
    void sockets.closeAfter(
      client.end().catch(() => {}),
      DISCONNECT_MILLISECONDS_MAX,
    );
  }
}
