import { type Actor, requireScope } from "../../../access/actor.ts";
import type { ContentRecord } from "../../record.ts";
import { saveSiteInTransaction, withoutBuiltInTypes } from "../site-saving.ts";
import type { TableMapping } from "./table-mappings.ts";

/** Maximum number of mappings that are saved. Beyond it, the mappings that were saved first are dropped. */
const MAPPINGS_MAX = 200;

/** Saves the mapping of a table in the site profile, for repeated imports. */
export async function saveTableMapping(
  record: ContentRecord,
  actor: Actor,
  { name, mapping }: { name: string; mapping: TableMapping },
  now: Date,
): Promise<void> {
  requireScope(actor, "transfer:run");
  await record.write(async (transaction) => {
    const profile = await transaction.site();
    if (profile === null) return;
    const others = Object.entries(profile.tables ?? {}).filter(([other]) => other !== name);
    const kept = Object.fromEntries([...others.slice(1 - MAPPINGS_MAX), [name, mapping]]);
    const types = withoutBuiltInTypes(await transaction.types());
    await saveSiteInTransaction(transaction, {
      profile: { ...profile, tables: kept },
      types,
      actor,
      now,
    });
  });
}
