import { isTransientError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { RepeatedErrorLogger } from "../../repeated-error-logger.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { SharedMedia } from "./shared-media.ts";

const COPY_FAILED = "A file of the site was not copied";

/** Keeps this machine's copy of the site's files up to date, in the background. */
export class MediaSync implements BackgroundWorker {
  readonly #media: SharedMedia;
  readonly #repeated: RepeatedErrorLogger;
  readonly #ending = new AbortController();
  #round: Promise<void> | null = null;

  constructor(media: SharedMedia, log: Log) {
    this.#media = media;
    this.#repeated = new RepeatedErrorLogger(log);
  }

  /** Starts a round of copying unless one is running. Does not wait for its end. */
  async work(): Promise<void> {
    this.#round ??= this.#media
      .follow(this.#ending.signal, new Date())
      .then(() => this.#repeated.succeeded(COPY_FAILED))
      .catch((error: unknown) => {
        // Ignores outages, because the database connection logs them itself.
        if (!isTransientError(error)) this.#repeated.failed(COPY_FAILED, error);
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
