import type { ItemInput } from "../items/item.ts";
import type { ContentReader } from "../record.ts";
import type { ContentTypes } from "../types/content-type.ts";
import { ambiguousNameMessage, type ItemNameMatch, type ItemsByName } from "./item-names.ts";
import type { ParsedItem } from "./parsed-item.ts";

export interface NamedLinkContext extends ItemsByName {
  types: ContentTypes;
  record: ContentReader;
  /**
   * Source keys of the items in the import. A link can name an item by its source key instead of its title
   * or alias.
   */
  sourceKeys: ReadonlySet<string>;
}

type LinkInput = ItemInput["relations"][string][number];

/** Types of the items that an input links to by name rather than by path or id. */
export function listTypesLinkedByName(input: ItemInput, types: ContentTypes): string[] {
  const relations = types.get(input.type)?.relations ?? {};
  const targets = Object.entries(input.relations).flatMap(([name, links]) =>
    links.some((link) => isName(targetOf(link))) ? (relations[name]?.target ?? []) : [],
  );
  const { translationOf } = input;
  return translationOf !== undefined && isName(translationOf) ? [...targets, input.type] : targets;
}

/**
 * Replaces titles and aliases in links with paths. A link with an ambiguous name is reported and left out. An
 * unknown name is not changed, because the import reports unknown names once all items are known.
 */
export async function resolveNamedLinks(
  parsed: ParsedItem,
  names: NamedLinkContext,
): Promise<ParsedItem> {
  const { input } = parsed;
  if (input === null || listTypesLinkedByName(input, names.types).length === 0) return parsed;
  const problems = [...parsed.problems];
  const pathNamed = async (type: string | undefined, name: string, where: string) => {
    const reference = type === undefined ? null : await resolvedName(type, name, names);
    if (reference === null || "path" in reference) return reference?.path ?? name;
    const message = ambiguousNameMessage(name, reference.several);
    problems.push({ ...parsed.placeOf(where), message, severity: "error" });
    return null;
  };
  const { relations: raw, translationOf, ...rest } = input;
  const declared = names.types.get(input.type)?.relations ?? {};
  const relations: Record<string, LinkInput[]> = {};
  for (const [relation, links] of Object.entries(raw)) {
    const kept: LinkInput[] = [];
    for (const [at, link] of links.entries()) {
      const where = `relations.${relation}[${at}]`;
      const to = await pathNamed(declared[relation]?.target, targetOf(link), where);
      if (to !== null) kept.push(typeof link === "string" ? to : { ...link, to });
    }
    relations[relation] = kept;
  }
  const original =
    translationOf === undefined
      ? null
      : await pathNamed(input.type, translationOf, "translationOf");
  const linked = { ...rest, relations, ...(original === null ? {} : { translationOf: original }) };
  return { ...parsed, input: linked, problems };
}

/** The item that a name refers to. Null: the name is unknown, or is a path, an id or a source key. */
async function resolvedName(
  type: string,
  name: string,
  { find, record, sourceKeys }: NamedLinkContext,
): Promise<ItemNameMatch> {
  if (!isName(name) || sourceKeys.has(name)) return null;
  if ((await record.itemBySourceKey(name.normalize("NFC"))) !== null) return null;
  return find(type, name);
}

const ID_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function isName(target: string): boolean {
  return !target.startsWith("/") && !ID_PATTERN.test(target);
}

function targetOf(link: LinkInput): string {
  return typeof link === "string" ? link : link.to;
}
