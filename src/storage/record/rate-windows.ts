import type { Kysely } from "kysely";
import type { RateWindow, RateWindowStore } from "../../access/rate-limits.ts";
import type { RecordTables } from "./tables.ts";

export class KyselyRateWindowStore implements RateWindowStore {
  readonly #reader: Kysely<RecordTables>;
  readonly #writer: Kysely<RecordTables>;

  constructor({ reader, writer }: { reader: Kysely<RecordTables>; writer: Kysely<RecordTables> }) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async load(): Promise<RateWindow[]> {
    const rows = await this.#reader.selectFrom("rate_windows").selectAll().execute();
    return rows.map(({ key_id, accepted_at }) => ({
      keyId: key_id,
      acceptedAt: JSON.parse(accepted_at),
    }));
  }

  async save(windows: readonly RateWindow[]): Promise<void> {
    await this.#writer.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("rate_windows").execute();
      for (const { keyId, acceptedAt } of windows) {
        await transaction
          .insertInto("rate_windows")
          .values({ key_id: keyId, accepted_at: JSON.stringify(acceptedAt) })
          .execute();
      }
    });
  }
}
