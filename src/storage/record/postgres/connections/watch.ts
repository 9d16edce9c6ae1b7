import { Client } from "pg";
import { Sockets } from "./sockets.ts";

/** An answer later than this triggers a probe. */
const LATE_MILLISECONDS = 400;
const PROBE_MILLISECONDS_MAX = 900;
const LOOK_MILLISECONDS = 100;
const GOODBYE_MILLISECONDS_MAX = 100;

interface Waiting {
  since: number;
  giveUp(error: Error): void;
}

/**
 * Detects a hung server, which reports no error. While an answer is late, probes the server on a new
 * connection: if the probe succeeds, the statement is slow and may continue; otherwise all pending
 * answers fail.
 */
export class Watch {
  readonly #url: string;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | null = null;
  #isProbing = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Passes the answer through; rejects with `ETIMEDOUT` if the server hangs. */
  during<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { since: performance.now(), giveUp: reject };
      this.#waiting.add(waiting);
      this.#timer ??= setInterval(() => this.#look(), LOOK_MILLISECONDS).unref();
      answer.then(
        (value) => {
          this.#waiting.delete(waiting);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(waiting);
          reject(error);
        },
      );
    });
  }

  #look(): void {
    if (this.#waiting.size === 0) {
      if (this.#timer !== null) clearInterval(this.#timer);
      this.#timer = null;
      return;
    }
    const late = performance.now() - LATE_MILLISECONDS;
    const [oldest] = this.#waiting;
    if (this.#isProbing || oldest === undefined || oldest.since > late) return;
    this.#isProbing = true;
    const suspects = [...this.#waiting];
    void answers(this.#url)
      .then((doesAnswer) => {
        if (doesAnswer) return;
        const hung = Object.assign(new Error("The server hangs"), { code: "ETIMEDOUT" });
        for (const waiting of suspects) if (this.#waiting.delete(waiting)) waiting.giveUp(hung);
      })
      .finally(() => {
        this.#isProbing = false;
      });
  }
}

/** A server that refuses the connection with an error is alive too. */
async function answers(url: string): Promise<boolean> {
  const sockets = new Sockets();
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
    void sockets.closedAfter(
      client.end().catch(() => {}),
      GOODBYE_MILLISECONDS_MAX,
    );
  }
}
