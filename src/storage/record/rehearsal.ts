import type { Kysely } from "kysely";
import type { Connections } from "./connections.ts";
import type { RecordTables } from "./tables.ts";

/** Runs a change as a transaction, looks at what it made, and undoes it. */
export async function rehearse<T>(
  { transact }: Pick<Connections, "transact">,
  change: (db: Kysely<RecordTables>) => Promise<unknown>,
  look: () => Promise<T>,
): Promise<T> {
  const undo = new Error("A rehearsal is undone");
  const seen: T[] = [];
  try {
    await transact(async (db) => {
      await change(db);
      seen.push(await look());
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  const [result] = seen;
  if (result === undefined) throw new Error("A rehearsal showed nothing");
  return result;
}
