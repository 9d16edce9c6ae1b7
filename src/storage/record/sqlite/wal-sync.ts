import { type FileHandle, open } from "node:fs/promises";
import { AppError } from "../../../errors.ts";

const RETRY_SECONDS = 30;

/**
 * Syncs SQLite's write-ahead log in the thread pool, so that only requests that changed something wait for
 * the disk. Commits that wait at the same time share a sync.
 */
export class WalSync {
  readonly #file: string;
  readonly #syncs: boolean;
  #log: FileHandle | null = null;
  #failure: AppError | null = null;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /**
   * @param file the path of the store.
   * @param syncs false: commits of this store never wait for the disk.
   */
  constructor(file: string, { syncs = true }: { syncs?: boolean } = {}) {
    this.#file = file;
    this.#syncs = syncs;
  }

  /**
   * Resolves when everything that the log contains at the time of the call is on disk.
   *
   * @throws {AppError} `unavailable` when this sync or an earlier one failed.
   */
  sync(): Promise<void> {
    if (!this.#syncs) return Promise.resolve();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#running === null) return this.#start();
    // Another sync follows the running one, which may have begun before the last commit.
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#start();
      });
    return this.#next;
  }

  /**
   * Call before each change. Refuses changes after a failed sync: the operating system may have lost part
   * of the log, and later syncs would succeed despite that gap. When the store is reopened, SQLite reads
   * the log only up to the gap.
   *
   * @throws {AppError} `unavailable` after a failed sync.
   */
  requireNoFailure(): void {
    if (this.#failure !== null) throw nothingSavedError(this.#failure);
  }

  /** Waits for running syncs. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next]);
    await this.#log?.close();
  }

  #start(): Promise<void> {
    const running = this.#dataSync().finally(() => {
      this.#running = null;
    });
    this.#running = running;
    return running;
  }

  async #dataSync(): Promise<void> {
    try {
      // SQLite creates the log with the first commit and keeps it while a connection is open.
      this.#log ??= await open(`${this.#file}-wal`, "r+");
      await this.#log.datasync();
    } catch (error) {
      this.#failure = notSyncedError(error);
      throw this.#failure;
    }
  }
}

function notSyncedError(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    {
      en: "The disk did not confirm the change, which a power cut could undo. Look whether it is there before you repeat it",
      de: "Die Platte hat die Änderung nicht bestätigt; ein Stromausfall könnte sie rückgängig machen. Sehen Sie nach, ob sie da ist, bevor Sie sie wiederholen",
    },
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}

function nothingSavedError(cause: AppError): AppError {
  return new AppError(
    "unavailable",
    {
      en: "The disk failed while a change was written. Nothing more is saved until the service is restarted: check the disk first",
      de: "Beim Speichern versagte die Platte. Bis zum Neustart des Dienstes wird nichts mehr gespeichert: Prüfen Sie zuerst die Platte",
    },
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}
