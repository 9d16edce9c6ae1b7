import type { Kysely } from "kysely";
import type { RecordTables } from "../tables.ts";
import { settingHash } from "./record-hashes.ts";

export async function saveSetting(
  db: Kysely<RecordTables>,
  name: string,
  value: string,
): Promise<void> {
  const hash = settingHash({ name, value });
  await db
    .insertInto("settings")
    .values({ name, value, hash })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value, hash }))
    .execute();
}
