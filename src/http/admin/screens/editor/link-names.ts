import type { Actor } from "../../../../access/actor.ts";
import { type FindingStores, findNames } from "../../../../content/desk/finding.ts";
import type { Wording } from "../../../../errors.ts";
import { inEach } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";

const CANDIDATES_SHOWN = 8;
/** Limits the names per request, since each requires a search through all titles. */
const NAMES_MAX = 50;

export interface NamedLinks {
  /** Ids of the items by relation. */
  found: Readonly<Record<string, readonly string[]>>;
  /** A sentence for each name that matches none or several items; null: each matches one. */
  fault: Wording | null;
  /** The names as typed. */
  left: Readonly<Record<string, readonly string[]>>;
}

/** Looks up items by title or address. */
export async function linksNamed(
  stores: FindingStores,
  actor: Actor,
  {
    targets,
    added,
  }: {
    /** The target type by relation; a missing one allows any type. */
    targets: Readonly<Record<string, string>>;
    added: Readonly<Record<string, readonly string[]>>;
  },
): Promise<NamedLinks> {
  const names = Object.entries(added).flatMap(([relation, each]) =>
    each.map((name) => ({ relation, name, target: targets[relation] ?? "" })),
  );
  const found: Record<string, string[]> = {};
  const left: Record<string, string[]> = {};
  const faults: Wording[] = [];
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
      faults.push(inEach((texts) => faultOf(each.name, candidates, texts)));
    }
  }
  const beyond = names.slice(NAMES_MAX);
  beyond.forEach(leave);
  if (beyond.length > 0) faults.push(inEach(({ draft }) => draft.tooMany(String(NAMES_MAX))));
  if (faults.length === 0) return { found, fault: null, left };
  const en = faults.map((fault) => fault.en).join(" ");
  const de = faults.map((fault) => fault.de).join(" ");
  return { found, fault: { en, de }, left };
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

/** The item at an address, else those with exactly this title, else those with a similar name. */
async function candidatesFor(
  stores: FindingStores,
  actor: Actor,
  { name, target }: { name: string; target: string },
): Promise<readonly { id: string; title: string; path: string }[]> {
  if (name.startsWith("/")) {
    const item = await stores.content.itemAt(name);
    return item === null ? [] : [item];
  }
  const text = name.slice(0, 200);
  const types = target === "" ? [] : [target];
  const { items } = await findNames(stores, actor, { text, types, limit: CANDIDATES_SHOWN });
  const exact = items.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  return exact.length > 0 ? exact : items;
}
