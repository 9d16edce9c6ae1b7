import type { ScreenVisit } from "./screen.ts";

const PERSON = "person:";

/** Names of actors for people to read: accounts by name, the rest as in the audit log. */
export async function personNames(
  { parts }: Pick<ScreenVisit, "parts">,
  actors: readonly string[],
): Promise<string[]> {
  const names: string[] = [];
  for (const actor of actors) {
    const isPerson = actor.startsWith(PERSON);
    const admin = isPerson ? await parts.people.admins.byId(actor.slice(PERSON.length)) : null;
    names.push(admin?.name ?? actor);
  }
  return names;
}
