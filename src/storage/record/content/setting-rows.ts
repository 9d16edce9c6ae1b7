import type { Kysely } from "kysely";
import { z } from "zod";
import type { ContentTransaction } from "../../../content/record.ts";
import type { RecordTables } from "../tables.ts";
import { requireMatchingHash, settingHash } from "./record-hashes.ts";

const SITE_BASE = "site_base";

const siteBaseSchema = z.object({
  parts: z.record(z.string(), z.unknown()),
  typeOrder: z.array(z.string()),
});

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

/**
 * Reads and writes the import base of the site: what the last import of a site folder stated about
 * the site.
 */
export function createSiteImportBaseStore(
  db: Kysely<RecordTables>,
): ContentTransaction["siteBase"] {
  const readText = async () => {
    const found = db.selectFrom("settings").selectAll().where("name", "=", SITE_BASE);
    const row = await found.executeTakeFirst();
    if (row === undefined) return null;
    requireMatchingHash({ stored: row.hash, found: settingHash(row) }, "settings", row.name);
    return row.value;
  };
  return {
    async read() {
      const text = await readText();
      return text === null ? null : siteBaseSchema.parse(JSON.parse(text));
    },
    async put(base) {
      const text = JSON.stringify(base);
      if (text !== (await readText())) await saveSetting(db, SITE_BASE, text);
    },
  };
}
