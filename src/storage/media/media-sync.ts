import { isTransient } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { SharedMedia } from "./shared-media.ts";

/** Keeps this machine's copy of the site's files up to date, in the background. */
export class MediaSync implements BackgroundWorker {
  readonly #media: SharedMedia;
  readonly #log: Log;
  readonly #ending = new AbortController();
  #round: Promise<void> | null = null;

  constructor(media: SharedMedia, log: Log) {
    this.#media = media;
    this.#log = log;
  }

  /** Starts a round unless one is running; does not wait. */
  async work(): Promise<void> {
    this.#round ??= this.#media
      .follow(this.#ending.signal, new Date())
      .catch((error: unknown) => {
        // Retried in the next round, when the database is back.
        if (!isTransient(error))
          this.#log.error({ err: error }, "A file of the site was not copied");
      })
      .finally(() => {
        this.#round = null;
      });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#round;
  }
}
