import type { Texts } from "../../texts/english.ts";
import type { ScreenVisit } from "../frame/screen.ts";

const PERSON_PREFIX = "person:";
const KEY_PREFIX = "key:";

/**
 * Returns a label for each actor: the name of an account or a key, or a description of any other
 * actor.
 */
export async function findActorLabels(
  { parts, texts }: Pick<ScreenVisit, "parts" | "texts">,
  actors: readonly string[],
): Promise<string[]> {
  const names: string[] = [];
  for (const actor of actors)
    names.push((await nameOf(parts, actor)) ?? unnamedActorLabel(texts, actor));
  return names;
}

/** Words for actors without a name: the operator, visitors and the scheduler. */
export function unnamedActorLabel({ audit }: Texts, actor: string): string {
  const words: Readonly<Record<string, string>> = audit.actors;
  return Object.hasOwn(words, actor) ? (words[actor] ?? actor) : actor;
}

async function nameOf(
  { people, stores }: ScreenVisit["parts"],
  actor: string,
): Promise<string | undefined> {
  if (actor.startsWith(PERSON_PREFIX))
    return (await people.admins.byId(actor.slice(PERSON_PREFIX.length)))?.name;
  if (actor.startsWith(KEY_PREFIX))
    return (await stores.keys.byId(actor.slice(KEY_PREFIX.length)))?.name;
  return undefined;
}
