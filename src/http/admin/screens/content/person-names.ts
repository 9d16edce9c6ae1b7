import type { ScreenVisit } from "../frame/screen.ts";

const PERSON = "person:";
const KEY = "key:";

/** Names of actors for people to read: accounts and keys by name, the rest as in the audit log. */
export async function personNames(
  { parts }: Pick<ScreenVisit, "parts">,
  actors: readonly string[],
): Promise<string[]> {
  const names: string[] = [];
  for (const actor of actors) names.push((await nameOf(parts, actor)) ?? actor);
  return names;
}

async function nameOf(
  { people, stores }: ScreenVisit["parts"],
  actor: string,
): Promise<string | undefined> {
  if (actor.startsWith(PERSON)) return (await people.admins.byId(actor.slice(PERSON.length)))?.name;
  if (actor.startsWith(KEY)) return (await stores.keys.byId(actor.slice(KEY.length)))?.name;
  return undefined;
}
