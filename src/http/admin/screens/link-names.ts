import type { Actor } from "../../../access/actor.ts";
import { listItems } from "../../../content/editing/desk.ts";
import { STATUSES } from "../../../content/items/item.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import type { ApiStores } from "../../api/parts.ts";
import type { Texts } from "../texts/english.ts";

const CANDIDATES = 8;
/** Each name is a search through all titles. */
const NAMES_MAX = 50;

export interface NamedLinks {
  /** Ids of the items by relation. */
  found: Readonly<Record<string, readonly string[]>>;
  /** A sentence for each name that no item or several items have. */
  faults: readonly string[];
  /** What was typed there. */
  left: Readonly<Record<string, readonly string[]>>;
}

/** Looks up the items that were named by title or address. */
export async function linksNamed(
  stores: ApiStores,
  actor: Actor,
  {
    type,
    added,
    texts,
  }: { type: ContentType; added: Readonly<Record<string, readonly string[]>>; texts: Texts },
): Promise<NamedLinks> {
  const names = Object.entries(added).flatMap(([relation, each]) =>
    each.map((name) => ({ relation, name, target: type.relations[relation]?.target ?? "" })),
  );
  const found: Record<string, string[]> = {};
  const left: Record<string, string[]> = {};
  const faults: string[] = [];
  const leave = ({ relation, name }: { relation: string; name: string }) => {
    left[relation] = [...(left[relation] ?? []), name];
  };
  for (const each of names.slice(0, NAMES_MAX)) {
    const candidates = await candidatesFor(stores, actor, each);
    const [only, ...others] = candidates;
    if (only !== undefined && others.length === 0) {
      found[each.relation] = [...(found[each.relation] ?? []), only.id];
    } else {
      leave(each);
      faults.push(faultOf(each.name, candidates, texts));
    }
  }
  const beyond = names.slice(NAMES_MAX);
  beyond.forEach(leave);
  if (beyond.length > 0) faults.push(texts.draft.tooMany(String(NAMES_MAX)));
  return { found, faults, left };
}

function faultOf(
  name: string,
  candidates: readonly { title: string; path: string }[],
  { draft }: Texts,
): string {
  if (candidates.length === 0) return draft.unmatched(name);
  const named = candidates.map(({ title, path }) => `${title} (${path})`).join(", ");
  return `${draft.ambiguous(name)} ${named}`;
}

/** The item at an address, else those with exactly this title, else those whose titles contain it. */
async function candidatesFor(
  stores: ApiStores,
  actor: Actor,
  { name, target }: { name: string; target: string },
): Promise<readonly { id: string; title: string; path: string }[]> {
  if (name.startsWith("/")) {
    const item = await stores.content.itemAt(name);
    return item === null ? [] : [item];
  }
  const { items } = await listItems(stores, actor, {
    types: [target],
    statuses: STATUSES.filter((status) => status !== "deleted"),
    text: name.slice(0, 200),
    sort: "title",
    descending: false,
    limit: CANDIDATES,
  });
  const exact = items.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  return exact.length > 0 ? exact : items;
}
