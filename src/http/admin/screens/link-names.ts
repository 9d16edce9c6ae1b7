import type { Actor } from "../../../access/actor.ts";
import { listItems } from "../../../content/editing/desk.ts";
import { STATUSES } from "../../../content/items/item.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import type { ApiStores } from "../../api/parts.ts";
import type { Texts } from "../texts/english.ts";

const CANDIDATES = 8;

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
  const found: Record<string, string[]> = {};
  const left: Record<string, string[]> = {};
  const faults: string[] = [];
  for (const [relation, names] of Object.entries(added)) {
    const target = type.relations[relation]?.target ?? "";
    for (const name of names) {
      const candidates = await candidatesFor(stores, actor, { name, target });
      const [only, ...others] = candidates;
      if (only !== undefined && others.length === 0) {
        found[relation] = [...(found[relation] ?? []), only.id];
        continue;
      }
      left[relation] = [...(left[relation] ?? []), name];
      const t = texts.draft;
      faults.push(
        only === undefined
          ? t.unmatched(name)
          : `${t.ambiguous(name)} ${candidates.map(({ title, path }) => `${title} (${path})`).join(", ")}`,
      );
    }
  }
  return { found, faults, left };
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
