import type { Kysely } from "kysely";
import { decisions, type Projection, type PublicChanges } from "./projection.ts";
import type { ReadingChange, ReadingEntry } from "./reading/writing/changes.ts";
import { checkTexts } from "./reading/writing/check-texts.ts";
import { entryOf, writeEntry } from "./record/postgres/change-log.ts";
import { spoilt } from "./record/shared-commits.ts";
import type { RecordTables } from "./record/tables.ts";

/** What is collected is held in memory, and an entry of the log in that of every instance. */
const COLLECTED_CHARACTERS_MAX = 4_000_000;
/** Of a change, beside the body of its item. */
const CHANGE_CHARACTERS = 1000;

/** The reading copies of all instances follow what stands in the log of changes. */
export interface LoggedProjection extends Projection {
  /** What this transaction changes for the public, instead of {@link LoggedProjection.append}. */
  entry(): Promise<ReadingEntry>;
  /**
   * Writes what the transaction changes for the public into the log; call it last in the transaction.
   * @returns the number it ends with there; null: the public will see no change.
   */
  append(): Promise<number | null>;
  /** What was collected, for another projection to include. */
  take(): ReadingChange[];
  include(changes: readonly ReadingChange[]): void;
  /** @returns what takes back all that is told to it from now on. */
  mark(): () => void;
}

/** One for a process, in which one transaction is under way at a time. */
export function loggedProjection({ origin }: { origin: string }): LoggedProjection {
  const collected = new CollectedChanges();
  let within: Kysely<RecordTables> | null = null;
  let last: number | null = null;
  const transaction = () => {
    if (within === null) throw new Error("No transaction has begun");
    return within;
  };
  const write = async (goesOn: boolean) => {
    last = await writeEntry(transaction(), collected.take(), goesOn);
  };
  return {
    ...decisions(collected),
    check: (item) => checkTexts(item, origin),
    begin(db) {
      within = db;
      last = null;
      collected.take();
    },
    async flush() {
      if (collected.characters > COLLECTED_CHARACTERS_MAX) await write(true);
    },
    async finish() {},
    async saveSite(profile, types) {
      collected.saveSite({ kind: "saveSite", profile, types: [...types.values()] });
    },
    entry: async () => await entryOf(transaction(), collected.take(), false),
    async append() {
      // After a part, an empty entry says that it was the last.
      if (last !== null || collected.characters > 0) await write(false);
      return last;
    },
    take: () => collected.take(),
    include(changes) {
      for (const change of changes) collected.add(change);
    },
    mark() {
      const [takeBack, lastBefore] = [collected.mark(), last];
      return () => {
        if (last !== lastBefore) throw spoilt();
        takeBack();
      };
    },
  };
}

class CollectedChanges implements PublicChanges {
  #changes: ReadingChange[] = [];
  /** About so many; 0: there is nothing. */
  characters = 0;

  take(): ReadingChange[] {
    const changes = this.#changes;
    this.#changes = [];
    this.characters = 0;
    return changes;
  }

  /** @returns what forgets everything collected from now on; good until all of it is taken. */
  mark(): () => void {
    const [length, characters] = [this.#changes.length, this.characters];
    return () => {
      this.#changes.length = length;
      this.characters = characters;
    };
  }

  put: PublicChanges["put"] = (item) => this.add({ kind: "put", item });

  retire: PublicChanges["retire"] = ({ id, type, path, title, updatedAt }, gone) =>
    this.add({ kind: "retire", item: { id, type, path, title, updatedAt }, gone });

  redirect: PublicChanges["redirect"] = (from, toItemId) =>
    this.add({ kind: "redirect", from, toItemId });

  lead: PublicChanges["lead"] = (from, toPath) => this.add({ kind: "lead", from, toPath });

  dropRedirect: PublicChanges["dropRedirect"] = (from) => this.add({ kind: "dropRedirect", from });

  putMedium: PublicChanges["putMedium"] = (medium) => this.add({ kind: "putMedium", medium });

  removeMedium: PublicChanges["removeMedium"] = (id) => this.add({ kind: "removeMedium", id });

  saveSite(change: ReadingChange & { kind: "saveSite" }): void {
    this.add(change);
  }

  add(change: ReadingChange): void {
    this.#changes.push(change);
    this.characters += CHANGE_CHARACTERS;
    if (change.kind === "put") this.characters += change.item.body.length;
  }
}
