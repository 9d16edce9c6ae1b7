import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { UtcDayRange } from "../../../access/days.ts";
import type { DailyKeyUse, KeyUseStore } from "../../../access/keys/key-use.ts";
import type { Connections } from "../connections.ts";
import type { RecordTables } from "../tables.ts";

const ROWS_PER_STATEMENT = 200;

export class KyselyKeyUseStore implements KeyUseStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async add(use: readonly DailyKeyUse[]): Promise<void> {
    const rows = use.map(({ keyId, day, tool, count }) => ({ key_id: keyId, day, tool, count }));
    await this.#connections.transact(async (db) => {
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await db
          .insertInto("key_use")
          .values(rows.slice(at, at + ROWS_PER_STATEMENT))
          .onConflict((conflict) =>
            conflict.columns(["key_id", "day", "tool"]).doUpdateSet(({ eb, ref }) => ({
              count: eb(ref("key_use.count"), "+", ref("excluded.count")),
            })),
          )
          .execute();
      }
    });
  }

  async ofKey(keyId: string, { since, until }: UtcDayRange): Promise<DailyKeyUse[]> {
    const rows = await this.#connections.reader
      .selectFrom("key_use")
      .selectAll()
      .where("key_id", "=", keyId)
      .where("day", ">=", since)
      .where("day", "<=", until)
      .orderBy("day")
      .orderBy("tool")
      .execute();
    return rows.map(useOf);
  }

  async totals({ since, until }: UtcDayRange): Promise<{ day: string; count: number }[]> {
    const rows = await this.#connections.reader
      .selectFrom("key_use")
      .select((use) => ["day", use.fn.sum<number | string>("count").as("count")])
      .where("day", ">=", since)
      .where("day", "<=", until)
      .groupBy("day")
      .orderBy("day")
      .execute();
    // Converts the sums, which the driver of PostgreSQL returns as text.
    return rows.map(({ day, count }) => ({ day, count: Number(count) }));
  }

  async ofDay(day: string): Promise<DailyKeyUse[]> {
    const rows = await this.#connections.reader
      .selectFrom("key_use")
      .selectAll()
      .where("day", "=", day)
      .execute();
    await yieldToEventLoop();
    return rows.map(useOf);
  }

  async forget(before: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("key_use").where("day", "<", before).execute();
    });
  }
}

function useOf({ key_id, day, tool, count }: RecordTables["key_use"]): DailyKeyUse {
  return { keyId: key_id, day, tool, count };
}
