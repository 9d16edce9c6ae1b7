import type { Wording } from "../../errors.ts";
import { slugOf } from "../addresses/paths.ts";
import type { ContentDesk } from "../editing/desk.ts";
import { type ItemOutline, STATUSES } from "../items/item.ts";
import type { ContentReader } from "../record.ts";

/** An item that other items of an import may refer to by name. */
export interface OutlineForNameLookup {
  type: string;
  path: string;
  title: string;
  aliases: readonly string[];
  sourceKey: string | null;
  isTranslation: boolean;
}

/**
 * The path of the item that a name refers to; `several` lists the paths of the candidates if the
 * name is ambiguous. Null: there is no such item.
 */
export type ItemNameMatch = { path: string } | { several: readonly string[] } | null;

/**
 * Finds items by type and name: first by title, then by the last segment of their path, then by
 * alias.
 */
export interface ItemsByName {
  find: (type: string, name: string) => ItemNameMatch;
  /** Source keys of the items that an import created from names in tables. */
  tableSourceKeys: ReadonlySet<string>;
}

/** Looks up items of the site and of an import by name. */
export interface ItemNameLookup {
  /**
   * Returns the names of all items of these types. Each type is read from the site once, when first
   * requested.
   */
  of(types: readonly string[]): Promise<ItemsByName>;
}

const PAGE_SIZE = 1000;
/** The field in which a type keeps aliases, the other names of an item. */
export const ALIASES_FIELD = "aliases";

/**
 * @param desk the editors' index of the site's items; null: the site has no items yet.
 * @param imported items of the import. They replace items of the site that have the same address or source
 *   key.
 */
export function createItemNameLookup(
  record: ContentReader,
  desk: Pick<ContentDesk, "list"> | null,
  imported: readonly OutlineForNameLookup[],
): ItemNameLookup {
  const index = new ItemNameIndex();
  const paths = new Set(imported.map(({ path }) => path));
  const sourceKeys = new Set(imported.flatMap(({ sourceKey }) => sourceKey ?? []));
  const isImported = ({ path, sourceKey }: OutlineForNameLookup) =>
    paths.has(path) || (sourceKey !== null && sourceKeys.has(sourceKey));
  for (const item of imported) index.add(item);
  const tableSourceKeys = new Set<string>();
  const readTypes = new Set<string>();
  return {
    async of(types) {
      const unreadTypes = [...new Set(types)].filter((type) => !readTypes.has(type));
      for (const type of unreadTypes) readTypes.add(type);
      for await (const item of namedOnSite(record, desk, unreadTypes)) {
        const { type, sourceKey } = item;
        if (sourceKey?.startsWith(`table:${type}/`) === true) tableSourceKeys.add(sourceKey);
        if (!isImported(item)) index.add(item);
      }
      return { find: (type, name) => index.find(type, name), tableSourceKeys };
    },
  };
}

async function* namedOnSite(
  record: ContentReader,
  desk: Pick<ContentDesk, "list"> | null,
  types: readonly string[],
): AsyncGenerator<OutlineForNameLookup> {
  if (desk === null || types.length === 0) return;
  const aliases = await aliasesOf(record, types);
  for await (const { id, translationOf, ...item } of listOutlinesOfTypes(desk, types)) {
    yield { ...item, aliases: aliases.get(id) ?? [], isTranslation: translationOf !== null };
  }
}

async function aliasesOf(
  record: ContentReader,
  types: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const declared = await record.types();
  const typesWithAliases = types.filter(
    (type) => declared.get(type)?.fields[ALIASES_FIELD]?.kind === "text_list",
  );
  if (typesWithAliases.length === 0) return new Map();
  const found = await record.itemsWithField(typesWithAliases, ALIASES_FIELD);
  return new Map(
    found.map(({ item, value }) => [item.id, Array.isArray(value) ? value.map(String) : []]),
  );
}

/** All items of these types, without their bodies. Deleted items are left out. */
export async function* listOutlinesOfTypes(
  desk: Pick<ContentDesk, "list">,
  types: readonly string[],
): AsyncGenerator<ItemOutline> {
  const statuses = STATUSES.filter((status) => status !== "deleted");
  const query = { types, statuses, sort: "title", descending: false, limit: PAGE_SIZE } as const;
  let page = await desk.list(query);
  for (;;) {
    yield* page.items;
    if (page.next === null) break;
    page = await desk.list({ ...query, after: page.next });
  }
}

/** The message that a link by an ambiguous name is left out. */
export function ambiguousNameMessage(name: string, several: readonly string[]): Wording {
  const shown = name.slice(0, 100);
  return {
    en: `several are called "${shown}": ${several.join(" and ")}; name one by its address; the link is left out`,
    de: `„${shown}“ heißen mehrere: ${several.join(" und ")}; nennen Sie eine Adresse davon; der Link wird weggelassen`,
  };
}

/** A title in lower case and with single spaces, for comparison. */
export function normalizeTitle(title: string): string {
  return title.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

type Entry = Pick<OutlineForNameLookup, "path" | "isTranslation">;

/** Maximum number of candidates listed for an ambiguous name. */
const CANDIDATES_MAX = 5;

/** Index of items by type and name. */
export class ItemNameIndex {
  readonly #titles = new Map<string, Entry[]>();
  readonly #addresses = new Map<string, Entry[]>();
  readonly #aliases = new Map<string, Entry[]>();

  add({ type, path, title, aliases, isTranslation }: OutlineForNameLookup): void {
    const entry = { path, isTranslation };
    append(this.#titles, `${type}/${normalizeTitle(title)}`, entry);
    append(this.#addresses, `${type}/${path.slice(path.lastIndexOf("/") + 1)}`, entry);
    for (const alias of aliases) append(this.#aliases, `${type}/${normalizeTitle(alias)}`, entry);
  }

  find(type: string, name: string): ItemNameMatch {
    const folded = `${type}/${normalizeTitle(name)}`;
    const found =
      this.#titles.get(folded) ??
      this.#addresses.get(`${type}/${slugOf(name)}`) ??
      this.#aliases.get(folded) ??
      [];
    // An original and its translations may share a name; the link leads to the original.
    const originals = found.filter(({ isTranslation }) => !isTranslation);
    const paths = [...new Set((originals.length > 0 ? originals : found).map(({ path }) => path))];
    const [path] = paths;
    if (path === undefined) return null;
    return paths.length === 1 ? { path } : { several: paths.sort().slice(0, CANDIDATES_MAX) };
  }
}

function append(entries: Map<string, Entry[]>, key: string, entry: Entry): void {
  const known = entries.get(key);
  if (known === undefined) entries.set(key, [entry]);
  else known.push(entry);
}
