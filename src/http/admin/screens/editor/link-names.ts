import type { Actor } from "../../../../access/actor.ts";
import type { ContentQueryStores } from "../../../../content/desk/content-query.ts";
import { autocompleteItems } from "../../../../content/desk/finding.ts";
import type { Wording } from "../../../../errors.ts";
import { messageInAllLanguages } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";

const CANDIDATES_SHOWN_MAX = 8;
/** Limits the names per request, because each requires a search through all titles. */
const NAMES_MAX = 50;

export interface LinkLookupResult {
  /** Ids of the items found, keyed by relation. */
  linkedIds: Readonly<Record<string, readonly string[]>>;
  /**
   * A sentence for each name that matches no item or several items; null if each name matches one
   * item.
   */
  fault: Wording | null;
  /** Names, as typed, that match no item or several items, keyed by relation. */
  unmatched: Readonly<Record<string, readonly string[]>>;
}

/** Looks up items by title or address. */
export async function findLinkTargetsByName(
  stores: ContentQueryStores,
  actor: Actor,
  {
    targets,
    added,
  }: {
    /** The target types, keyed by relation. A relation without a target type allows any type. */
    targets: Readonly<Record<string, string>>;
    added: Readonly<Record<string, readonly string[]>>;
  },
): Promise<LinkLookupResult> {
  const names = Object.entries(added).flatMap(([relation, each]) =>
    each.map((name) => ({ relation, name, target: targets[relation] ?? "" })),
  );
  const linkedIds: Record<string, string[]> = {};
  const unmatched: Record<string, string[]> = {};
  const faults: Wording[] = [];
  const addUnmatched = ({ relation, name }: { relation: string; name: string }) => {
    unmatched[relation] = [...(unmatched[relation] ?? []), name];
  };
  for (const each of names.slice(0, NAMES_MAX)) {
    const candidates = await candidatesFor(stores, actor, each);
    const [only, ...others] = candidates;
    if (only !== undefined && others.length === 0) {
      linkedIds[each.relation] = [...(linkedIds[each.relation] ?? []), only.id];
    } else {
      addUnmatched(each);
      faults.push(messageInAllLanguages((texts) => faultOf(each.name, candidates, texts)));
    }
  }
  const excess = names.slice(NAMES_MAX);
  excess.forEach(addUnmatched);
  if (excess.length > 0)
    faults.push(messageInAllLanguages(({ draft }) => draft.tooMany(String(NAMES_MAX))));
  if (faults.length === 0) return { linkedIds, fault: null, unmatched };
  const en = faults.map((fault) => fault.en).join(" ");
  const de = faults.map((fault) => fault.de).join(" ");
  return { linkedIds, fault: { en, de }, unmatched };
}

function faultOf(
  name: string,
  candidates: readonly { title: string; path: string }[],
  { draft }: Texts,
): string {
  if (candidates.length === 0) return draft.unmatched(name);
  const candidateList = candidates.map(({ title, path }) => `${title} (${path})`).join(", ");
  return `${draft.ambiguous(name)} ${candidateList}`;
}

/**
 * Returns the items that a typed name can refer to. For an address, returns the item at that address. For
 * any other name, returns the items with exactly this title or, if there are none, the items with a similar
 * title.
 */
async function candidatesFor(
  stores: ContentQueryStores,
  actor: Actor,
  { name, target }: { name: string; target: string },
): Promise<readonly { id: string; title: string; path: string }[]> {
  if (name.startsWith("/")) {
    const item = await stores.content.itemAt(name);
    return item === null ? [] : [item];
  }
  const text = name.slice(0, 200);
  const types = target === "" ? [] : [target];
  const { items } = await autocompleteItems(stores, actor, {
    text,
    types,
    limit: CANDIDATES_SHOWN_MAX,
  });
  const exact = items.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  return exact.length > 0 ? exact : items;
}
