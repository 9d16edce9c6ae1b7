import { DatabaseSync } from "node:sqlite";
import { applyChange, type ChangeLogEntry } from "../reading/writing/changes.ts";
import type { ReadingWriter } from "../reading/writing/reading-writer.ts";
import { createReadingWriter } from "../reading/writing/writer.ts";
import { WalCheckpointer } from "../record/sqlite/wal-checkpointer.ts";
import { incrementCommitCount } from "../sqlite/data-version.ts";
import { runStepsWithYields } from "../sqlite/yield-between.ts";
import type { ChangeSource, LoggedEntry, LogPosition, RebuildReason } from "./change-source.ts";
import {
  beginWriteTransaction,
  type CopyPosition,
  readCopyPosition,
  rollBack,
  saveCopyPosition,
} from "./copy-file.ts";

/**
 * A writable connection to the reading copy of this folder. Several processes can follow the log in one
 * folder; each applies only entries that no other process has applied. Make one call at a time.
 */
export class WritableCopy implements AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly #origin: string;
  readonly #checkpointer: WalCheckpointer;
  readonly #numbers = new Map<string, number>();
  #writer: ReadingWriter;
  #buildId: string;

  constructor(file: string, origin: string) {
    this.#db = new DatabaseSync(file, { timeout: 0 });
    this.#origin = origin;
    // `NORMAL` is enough: changes lost in a power cut are reapplied from the log.
    this.#db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000");
    this.#db.exec("PRAGMA wal_autocheckpoint = 32000; PRAGMA journal_size_limit = 64000000");
    this.#checkpointer = new WalCheckpointer(this.#db, file);
    // Schedules a checkpoint: a copy that was swapped in is entirely in the WAL.
    this.#checkpointer.committed();
    this.#buildId = readCopyPosition(this.#db).buildId;
    this.#writer = this.#newWriter();
  }

  position(): CopyPosition {
    return readCopyPosition(this.#db);
  }

  /**
   * Applies consecutive entries in one transaction. Skips entries that another process has applied.
   * @returns null, or why the copy must be rebuilt.
   */
  async apply(
    entries: readonly LoggedEntry[],
    source: ChangeSource,
  ): Promise<RebuildReason | null> {
    await this.#checkpointer.untilShort();
    await this.#begin();
    try {
      const reason = await this.#applyAll(entries, source);
      if (reason !== null) return reason;
      await runStepsWithYields(this.#writer.finish());
      this.#db.exec("COMMIT");
      incrementCommitCount();
      this.#checkpointer.committed();
      return null;
    } finally {
      this.#end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#checkpointer.close();
    this.#db.close();
  }

  async #begin(): Promise<void> {
    await beginWriteTransaction(this.#db);
    const { buildId } = readCopyPosition(this.#db);
    if (buildId === this.#buildId) return;
    // Another process rebuilt the copy, so the writer's caches are outdated.
    this.#buildId = buildId;
    this.#writer = this.#newWriter();
  }

  #end(): void {
    rollBack(this.#db);
    this.#writer.discard();
    this.#numbers.clear();
  }

  async #applyAll(
    entries: readonly LoggedEntry[],
    source: ChangeSource,
  ): Promise<RebuildReason | null> {
    const start = readCopyPosition(this.#db);
    let logPosition: LogPosition = start;
    let remaining = entries.filter(({ sequence }) => sequence > start.position);
    for (;;) {
      for (const logged of remaining) {
        const reason = await this.#applyOne(logged, logPosition);
        if (reason !== null) return reason;
        logPosition = { ...logPosition, position: logged.sequence, at: logged.at };
      }
      if (remaining.at(-1)?.entry?.isContinued !== true) break;
      const tail = await source.after(logPosition);
      if (tail.kind !== "behind") return rebuildHere("A large change is not complete in the log");
      remaining = [...tail.entries];
    }
    if (logPosition !== start) saveCopyPosition(this.#db, logPosition);
    return null;
  }

  /** @returns null if the entry was applied, otherwise why the copy must be rebuilt. */
  async #applyOne(
    { sequence, entry }: LoggedEntry,
    logPosition: LogPosition,
  ): Promise<RebuildReason | null> {
    if (sequence !== logPosition.position + 1) return rebuildHere("An entry of the log is missing");
    if (entry === null) return rebuildHere(`Entry ${sequence} of the log cannot be read`);
    const isStale = await this.#write(entry);
    return isStale
      ? { why: "The types of content, or the language of the site, changed", everywhere: true }
      : null;
  }

  /** @returns whether all published items must be written again. */
  async #write({ numbers, changes }: ChangeLogEntry): Promise<boolean> {
    for (const [id, number] of Object.entries(numbers)) this.#numbers.set(id, number);
    for (const change of changes) {
      if (await runStepsWithYields(applyChange(this.#writer, change))) return true;
    }
    return false;
  }

  #newWriter(): ReadingWriter {
    const rowNumberOf = (itemId: string) => {
      const number = this.#numbers.get(itemId);
      if (number === undefined) throw new Error(`The log gives no number for item ${itemId}`);
      return number;
    };
    return createReadingWriter(this.#db, { origin: this.#origin, rowNumberOf });
  }
}

function rebuildHere(why: string): RebuildReason {
  return { why, everywhere: false };
}
