import type { SignInAttempt, SignInAttemptStore } from "../../../../access/people/people-stores.ts";
import type { Connections } from "../../connections.ts";

export class KyselySignInAttemptStore implements SignInAttemptStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async ofNetwork(network: string, since: Date): Promise<SignInAttempt[]> {
    return await this.#connections.reader
      .selectFrom("sign_in_attempts")
      .selectAll()
      .where("network", "=", network)
      .where("at", ">", since.toISOString())
      .orderBy("at")
      .execute();
  }

  async countOf(subject: string, since: Date, max: number): Promise<number> {
    const rows = await this.#connections.reader
      .selectFrom("sign_in_attempts")
      .select("id")
      .where("subject", "=", subject)
      .where("at", ">", since.toISOString())
      .limit(max)
      .execute();
    return rows.length;
  }

  async insert(attempt: SignInAttempt): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.insertInto("sign_in_attempts").values(attempt).execute();
    });
  }

  async forget(subject: string, network: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .deleteFrom("sign_in_attempts")
        .where("subject", "=", subject)
        .where("network", "=", network)
        .execute();
    });
  }

  async deleteBefore(time: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("sign_in_attempts").where("at", "<=", time.toISOString()).execute();
    });
  }
}
