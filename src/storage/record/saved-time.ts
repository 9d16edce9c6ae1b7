import type { Kysely } from "kysely";
import type { SavedTime, SavedTimeStore } from "../../work/trusted-time.ts";
import type { Connections } from "./connections.ts";
import type { RecordTables } from "./tables.ts";

const SETTING_NAME = "clock.seen";

/**
 * Reads the trusted time that a server saved last; null if no server has saved one. Unlike the store's
 * `load`, does not fall back on the time of the latest change.
 */
export async function readSavedTime(db: Kysely<RecordTables>): Promise<SavedTime | null> {
  const saved = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", SETTING_NAME)
    .executeTakeFirst();
  return saved === undefined ? null : JSON.parse(saved.value);
}

/** Stores the last trusted time in the settings of the record. */
export class KyselySavedTimeStore implements SavedTimeStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async load(): Promise<SavedTime | null> {
    const { reader } = this.#connections;
    const saved = await readSavedTime(reader);
    if (saved !== null) return saved;
    const latest = await reader
      .selectFrom("audit")
      .select("at")
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    return latest === undefined ? null : { at: latest.at, ranMilliseconds: 0 };
  }

  async save({ at, ranMilliseconds }: SavedTime): Promise<void> {
    const value = JSON.stringify({ at, ranMilliseconds });
    await this.#connections.transact(async (db) => {
      await db
        .insertInto("settings")
        .values({ name: SETTING_NAME, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    });
  }
}
