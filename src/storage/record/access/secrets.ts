import { randomBytes } from "node:crypto";
import type { Connections } from "../connections.ts";

const SECRET_BYTES = 32;

/** Secrets that the service makes for itself, the same for every process on the store. */
export class KyselySecretStore {
  readonly #transact: Connections["transact"];

  constructor({ transact }: Connections) {
    this.#transact = transact;
  }

  /** The secret of that name as hexadecimal digits, made when it is first asked for. */
  async secret(name: string): Promise<string> {
    return await this.#transact(async (db) => {
      const made = { name: `secret.${name}`, value: randomBytes(SECRET_BYTES).toString("hex") };
      await db
        .insertInto("settings")
        .values(made)
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const kept = await db
        .selectFrom("settings")
        .select("value")
        .where("name", "=", made.name)
        .executeTakeFirstOrThrow();
      return kept.value;
    });
  }
}
