import {
  type AcceptedRequestCount,
  RATE_WINDOW_SECONDS,
  type RateWindowStore,
} from "../../../access/rate-limits.ts";
import type { Connections } from "../connections.ts";

const ROWS_PER_STATEMENT = 200;

export class KyselyRateWindowStore implements RateWindowStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async load(since: number): Promise<AcceptedRequestCount[]> {
    const rows = await this.#connections.reader
      .selectFrom("accepted_requests")
      .selectAll()
      .where("until", ">", since)
      .orderBy("until")
      .execute();
    return rows.map(({ key_id, until, count }) => ({ keyId: key_id, until, count }));
  }

  async add(accepted: readonly AcceptedRequestCount[], deleteUntil: number): Promise<void> {
    const plausibleUntil = deleteUntil + 2 * RATE_WINDOW_SECONDS * 1000;
    const rows = accepted.map(({ keyId, until, count }) => ({ key_id: keyId, until, count }));
    await this.#connections.transact(async (db) => {
      await db
        .deleteFrom("accepted_requests")
        .where(({ eb, or }) =>
          or([eb("until", "<=", deleteUntil), eb("until", ">", plausibleUntil)]),
        )
        .execute();
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        await db
          .insertInto("accepted_requests")
          .values(rows.slice(at, at + ROWS_PER_STATEMENT))
          .onConflict((conflict) =>
            conflict.columns(["until", "key_id"]).doUpdateSet(({ eb, ref }) => ({
              count: eb(ref("accepted_requests.count"), "+", ref("excluded.count")),
            })),
          )
          .execute();
      }
    });
  }
}
