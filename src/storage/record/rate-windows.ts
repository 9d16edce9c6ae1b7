import type { RateWindow, RateWindowStore } from "../../access/rate-limits.ts";
import type { Connections } from "./connections.ts";

export class KyselyRateWindowStore implements RateWindowStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async load(): Promise<RateWindow[]> {
    const rows = await this.#connections.reader.selectFrom("rate_windows").selectAll().execute();
    return rows.map(({ key_id, accepted_at }) => ({
      keyId: key_id,
      acceptedAt: JSON.parse(accepted_at),
    }));
  }

  async save(windows: readonly RateWindow[]): Promise<void> {
    await this.#connections.transact(async (transaction) => {
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
