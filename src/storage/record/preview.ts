import type { Kysely } from "kysely";
import type { Connections } from "./connections.ts";
import type { RecordTables } from "./tables.ts";

/** Runs a change in a transaction, looks at the outcome and rolls back. */
export async function preview<T>(
  { transact }: Pick<Connections, "transact">,
  change: (db: Kysely<RecordTables>) => Promise<unknown>,
  look: () => Promise<T>,
): Promise<T> {
  const rollback = new Error("Roll back");
  const seen: T[] = [];
  try {
    await transact(async (db) => {
      await change(db);
      seen.push(await look());
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  const [result] = seen;
  if (result === undefined) throw new Error("The look returned nothing");
  return result;
}
