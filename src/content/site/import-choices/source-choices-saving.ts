import { isDeepStrictEqual } from "node:util";
import { type Actor, requireScope } from "../../../access/actor.ts";
import type { ContentRecord } from "../../record.ts";
import { saveSiteInTransaction, withoutBuiltInTypes } from "../site-saving.ts";
import type { SourceChoices } from "./source-choices.ts";

/**
 * Maximum number of folders and files whose choices are saved. Beyond it, the choices that were saved first
 * are dropped.
 */
const SOURCES_MAX = 200;

/**
 * Saves in the site profile how an import reads a folder or file, so that repeated imports read it in the
 * same way.
 */
export async function saveSourceChoices(
  record: ContentRecord,
  actor: Actor,
  { name, choices }: { name: string; choices: SourceChoices },
  now: Date,
): Promise<void> {
  const { sources: before } = (await record.site()) ?? {};
  if (isDeepStrictEqual(before?.[name] ?? {}, choices)) return;
  requireScope(actor, "transfer:run");
  await record.write(async (transaction) => {
    const profile = await transaction.site();
    if (profile === null) return;
    const others = Object.entries(profile.sources ?? {}).filter(([other]) => other !== name);
    const isNone = Object.keys(choices).length === 0;
    const kept = [...others.slice(1 - SOURCES_MAX), ...(isNone ? [] : [[name, choices] as const])];
    const sources = Object.fromEntries(kept);
    const types = withoutBuiltInTypes(await transaction.types());
    await saveSiteInTransaction(transaction, {
      profile: { ...profile, sources },
      types,
      actor,
      now,
    });
  });
}
