import type { Presence, PresenceStore } from "../../../content/drafts/presence.ts";
import type { Connections } from "../connections.ts";

export class KyselyPresenceStore implements PresenceStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async of(draftId: string, since: Date, until: Date): Promise<Presence[]> {
    const rows = await this.#connections.reader
      .selectFrom("presence")
      .selectAll()
      .where("draft_id", "=", draftId)
      .where("seen_at", ">", since.toISOString())
      .where("seen_at", "<", until.toISOString())
      .orderBy("name")
      .orderBy("actor")
      .execute();
    return rows.map((row) => ({
      draftId: row.draft_id,
      actor: row.actor,
      name: row.name,
      seenAt: row.seen_at,
    }));
  }

  async put({ draftId, actor, name, seenAt }: Presence): Promise<void> {
    const changing = { name, seen_at: seenAt };
    await this.#connections.transact(async (db) => {
      await db
        .insertInto("presence")
        .values({ draft_id: draftId, actor, ...changing })
        .onConflict((conflict) => conflict.columns(["draft_id", "actor"]).doUpdateSet(changing))
        .execute();
    });
  }

  async remove(draftId: string, actor: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .deleteFrom("presence")
        .where("draft_id", "=", draftId)
        .where("actor", "=", actor)
        .execute();
    });
  }

  async removeBefore(time: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("presence").where("seen_at", "<", time.toISOString()).execute();
    });
  }
}
