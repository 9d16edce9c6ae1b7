import type { Actor } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import type { ContentRecord } from "../record.ts";
import { changeSettings, readSettings } from "./settings.ts";

/**
 * Replaces the matches of a pattern in the settings. A dry run changes nothing.
 *
 * @param find a regular expression with the flag `g`.
 * @returns the names of the settings with a match.
 * @throws {AppError} as `changeSettings`.
 */
export async function replaceInSettings(
  content: ContentRecord,
  actor: Actor,
  { find, replace }: { find: RegExp; replace: string },
  { isDryRun, ...change }: { isDryRun: boolean } & ChangeContext,
): Promise<string[]> {
  const { profile } = await readSettings(content, actor);
  const changedSettings = Object.entries(profile).flatMap(([name, value]) => {
    const before = JSON.stringify(value);
    const after = before.replace(find, replace);
    return after === before ? [] : [[name, JSON.parse(after)] as const];
  });
  if (changedSettings.length > 0 && !isDryRun) {
    await changeSettings(content, actor, Object.fromEntries(changedSettings), change);
  }
  return changedSettings.map(([name]) => name);
}
