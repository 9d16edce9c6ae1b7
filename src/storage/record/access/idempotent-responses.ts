import type {
  IdempotentResponse,
  IdempotentResponseStore,
} from "../../../access/idempotent-responses.ts";
import type { Connections } from "../connections.ts";

export class KyselyIdempotentResponseStore implements IdempotentResponseStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async find(name: string): Promise<IdempotentResponse | null> {
    const row = await this.#connections.reader
      .selectFrom("kept_answers")
      .selectAll()
      .where("name", "=", name)
      .executeTakeFirst();
    return row === undefined
      ? null
      : { name, fingerprint: row.fingerprint, sealed: row.sealed, storedAt: row.kept_at };
  }

  async store({ name, fingerprint, sealed, storedAt }: IdempotentResponse): Promise<void> {
    const row = { name, fingerprint, sealed, kept_at: storedAt };
    await this.#connections.transact(async (db) => {
      await db.insertInto("kept_answers").values(row).execute();
    });
  }

  async deleteBefore(before: Date): Promise<void> {
    const old = await this.#connections.reader
      .selectFrom("kept_answers")
      .select("name")
      .where("kept_at", "<", before.toISOString())
      .limit(1)
      .executeTakeFirst();
    if (old === undefined) return;
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("kept_answers").where("kept_at", "<", before.toISOString()).execute();
    });
  }
}
