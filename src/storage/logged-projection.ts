import type { Kysely } from "kysely";
import {
  createPublicChangeProjection,
  type Projection,
  type PublicChangeWriter,
} from "./projection.ts";
import { ChangeCollector } from "./reading/writing/change-collector.ts";
import type { ReadingChange } from "./reading/writing/changes.ts";
import {
  requireLargeTextsRendered,
  requireRenderableTexts,
} from "./reading/writing/check-texts.ts";
import { groupRolledBackError } from "./record/group-commit.ts";
import { writeLogEntry } from "./record/postgres/changes/entries.ts";
import type { RecordTables } from "./record/tables.ts";

/**
 * Limit on the estimated size of the buffered changes. Beyond this limit, `flush` writes the changes to
 * the log. The limit bounds the memory of this process, and of every instance that reads a log entry.
 */
const COLLECTED_CHARACTERS_MAX = 4_000_000;
/** Estimated characters of a change, without the item's body. */
const CHANGE_CHARACTERS = 1000;

/** Writes public changes to the log that the reading copies of all instances follow. */
export interface LoggedProjection extends Projection {
  /**
   * Appends the transaction's public changes to the log. Call last in the transaction.
   * @returns the number of the last entry that was appended; null if no public content changes.
   */
  append(): Promise<number | null>;
  /** Returns and clears the buffered changes. Use this instead of {@link LoggedProjection.append}. */
  take(): ReadingChange[];
  include(changes: readonly ReadingChange[]): void;
  /**
   * Marks the current state of the buffer.
   * @returns a function that undoes all changes made after this call.
   */
  mark(): () => void;
}

/** Creates a projection. Use it for one transaction at a time. */
export function loggedProjection({ origin }: { origin: string }): LoggedProjection {
  const collected = new CollectedChanges();
  let openTransaction: Kysely<RecordTables> | null = null;
  let lastEntry: number | null = null;
  const transaction = () => {
    if (openTransaction === null) throw new Error("No transaction is open");
    return openTransaction;
  };
  const write = async (isContinued: boolean) => {
    lastEntry = await writeLogEntry(transaction(), collected.take(), isContinued);
  };
  return {
    ...createPublicChangeProjection(collected),
    origin,
    check: (item, before) => requireRenderableTexts(item, before, { origin }),
    requireRendered: (texts) => requireLargeTextsRendered(texts, { origin }),
    begin(db) {
      openTransaction = db;
      lastEntry = null;
      collected.take();
    },
    async flush() {
      if (collected.characters > COLLECTED_CHARACTERS_MAX) await write(true);
    },
    async finish() {},
    async saveSite(profile, types) {
      collected.saveSite({ kind: "saveSite", profile, types: [...types.values()] });
    },
    async append() {
      // If `flush` has written a continued entry, a final entry must follow, even without further
      // changes.
      if (lastEntry !== null || collected.characters > 0) await write(false);
      return lastEntry;
    },
    take: () => collected.take(),
    include(changes) {
      for (const change of changes) collected.add(change);
    },
    mark() {
      const [undoCollected, lastBefore] = [collected.mark(), lastEntry];
      return () => {
        if (lastEntry !== lastBefore) throw groupRolledBackError();
        undoCollected();
      };
    },
  };
}

class CollectedChanges extends ChangeCollector implements PublicChangeWriter {
  #changes: ReadingChange[] = [];
  /** Estimated characters in the buffer; 0 if it is empty. */
  characters = 0;

  take(): ReadingChange[] {
    const changes = this.#changes;
    this.#changes = [];
    this.characters = 0;
    return changes;
  }

  /** @returns a function that drops everything buffered after this call; valid until `take`. */
  mark(): () => void {
    const [length, characters] = [this.#changes.length, this.characters];
    return () => {
      this.#changes.length = length;
      this.characters = characters;
    };
  }

  putMedium: PublicChangeWriter["putMedium"] = (medium) => this.add({ kind: "putMedium", medium });

  removeMedium: PublicChangeWriter["removeMedium"] = (id) => this.add({ kind: "removeMedium", id });

  saveSite(change: ReadingChange & { kind: "saveSite" }): void {
    this.add(change);
  }

  add(change: ReadingChange): void {
    this.#changes.push(change);
    this.characters += CHANGE_CHARACTERS;
    if (change.kind === "put") this.characters += change.item.body.length;
  }
}
