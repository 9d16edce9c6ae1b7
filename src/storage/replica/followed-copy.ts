import { DatabaseSync } from "node:sqlite";
import { applyChange, type ReadingEntry } from "../reading/writing/changes.ts";
import type { ReadingWriter } from "../reading/writing/reading-writer.ts";
import { createReadingWriter } from "../reading/writing/writer.ts";
import { WalCheckpointer } from "../record/sqlite/wal-checkpointer.ts";
import { countCommit } from "../sqlite/data-version.ts";
import { yieldBetween } from "../sqlite/yield-between.ts";
import type { ChangeSource, LoggedEntry, LogPosition, RebuildReason } from "./change-source.ts";
import { beginWriting, type CopyPosition, readPosition, savePosition, undo } from "./copy-file.ts";

/**
 * The reading copy of this folder, for writing. Several processes may follow the log in one folder; each
 * applies what the others have not. One call at a time.
 */
export class FollowedCopy implements AsyncDisposable {
  readonly #db: DatabaseSync;
  readonly #origin: string;
  readonly #copying: WalCheckpointer;
  readonly #numbers = new Map<string, number>();
  #writer: ReadingWriter;
  #made: string;

  constructor(file: string, origin: string) {
    this.#db = new DatabaseSync(file, { timeout: 0 });
    this.#origin = origin;
    // After a power cut, lost changes are reapplied from the log; the copy stays consistent.
    this.#db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000");
    this.#db.exec("PRAGMA wal_autocheckpoint = 32000; PRAGMA journal_size_limit = 64000000");
    this.#copying = new WalCheckpointer(this.#db, file);
    // A copy that was swapped in is entirely in the WAL.
    this.#copying.committed();
    this.#made = readPosition(this.#db).made;
    this.#writer = this.#newWriter();
  }

  place(): CopyPosition {
    return readPosition(this.#db);
  }

  /**
   * Applies consecutive entries in one transaction, skipping those another process has applied.
   * @returns null, or why the copy must be rebuilt.
   */
  async apply(
    entries: readonly LoggedEntry[],
    source: ChangeSource,
  ): Promise<RebuildReason | null> {
    await this.#begin();
    try {
      const lost = await this.#applyAll(entries, source);
      if (lost !== null) return lost;
      await yieldBetween(this.#writer.finish());
      this.#db.exec("COMMIT");
      countCommit();
      this.#copying.committed();
      return null;
    } finally {
      this.#end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#copying.close();
    this.#db.close();
  }

  async #begin(): Promise<void> {
    await beginWriting(this.#db);
    const { made } = readPosition(this.#db);
    if (made === this.#made) return;
    // Another process rebuilt the copy, so the writer's caches are outdated.
    this.#made = made;
    this.#writer = this.#newWriter();
  }

  #end(): void {
    undo(this.#db);
    this.#writer.discard();
    this.#numbers.clear();
  }

  async #applyAll(
    entries: readonly LoggedEntry[],
    source: ChangeSource,
  ): Promise<RebuildReason | null> {
    const start = readPosition(this.#db);
    let place: LogPosition = start;
    let left = entries.filter(({ sequence }) => sequence > start.position);
    for (;;) {
      for (const logged of left) {
        const lost = await this.#applyOne(logged, place);
        if (lost !== null) return lost;
        place = { ...place, position: logged.sequence, at: logged.at };
      }
      if (left.at(-1)?.entry?.isContinued !== true) break;
      const news = await source.after(place);
      if (news.kind !== "behind") return rebuildHere("A large change is not whole in the log");
      left = [...news.entries];
    }
    if (place !== start) savePosition(this.#db, place);
    return null;
  }

  /** @returns why it cannot be applied; null if it was. */
  async #applyOne(
    { sequence, entry }: LoggedEntry,
    place: LogPosition,
  ): Promise<RebuildReason | null> {
    if (sequence !== place.position + 1) return rebuildHere("An entry of the log is missing");
    if (entry === null) return rebuildHere(`Entry ${sequence} of the log cannot be read`);
    const isStale = await this.#write(entry);
    return isStale
      ? { why: "The types of content, or the language of the site, changed", everywhere: true }
      : null;
  }

  /** @returns whether all published items must be put again. */
  async #write({ numbers, changes }: ReadingEntry): Promise<boolean> {
    for (const [id, number] of Object.entries(numbers)) this.#numbers.set(id, number);
    for (const change of changes) {
      if (await yieldBetween(applyChange(this.#writer, change))) return true;
    }
    return false;
  }

  #newWriter(): ReadingWriter {
    const numberOf = (itemId: string) => {
      const number = this.#numbers.get(itemId);
      if (number === undefined) throw new Error(`The log gives no number for item ${itemId}`);
      return number;
    };
    return createReadingWriter(this.#db, { origin: this.#origin, numberOf });
  }
}

function rebuildHere(why: string): RebuildReason {
  return { why, everywhere: false };
}
