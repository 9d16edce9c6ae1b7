import type { ContentDesk } from "../content/editing/desk.ts";
import { listOutlinesOfTypes, normalizeTitle } from "../content/import/item-names.ts";
import {
  findAuthorAndTopicRelations,
  type WorkMatchCriteria,
} from "../content/import/references/work-items.ts";
import type { Item, ItemOutline } from "../content/items/item.ts";
import type { ContentRecord } from "../content/record.ts";
import type { ContentType } from "../content/types/content-type.ts";

/** Fields whose values identify a work. */
const IDENTIFIER_FIELDS: readonly string[] = ["doi", "isbn", "source_url"];

/** Paths and source keys of works, keyed by title in lower case. */
export type WorksByTitle = ReadonlyMap<string, readonly Pick<ItemOutline, "path" | "sourceKey">[]>;

/** Reads the works on the site, keyed by title. `type` is the type whose items are works. */
export async function readWorksByTitle(
  desk: Pick<ContentDesk, "list">,
  type: string,
): Promise<WorksByTitle> {
  const titles = new Map<string, Pick<ItemOutline, "path" | "sourceKey">[]>();
  for await (const { title, path, sourceKey } of listOutlinesOfTypes(desk, [type])) {
    const key = normalizeTitle(title);
    const works = titles.get(key);
    if (works === undefined) titles.set(key, [{ path, sourceKey }]);
    else works.push({ path, sourceKey });
  }
  return titles;
}

/**
 * Returns a function that finds an existing work for an entry of a bibliography, and resolves to its path.
 * This is the work whose page the entry cites. If the entry cites no page, it is a work of the same title
 * that does not come from this bibliography. The two must share an author or an identifier, unless neither
 * has an author. Resolves to null if no work matches or the entry was imported before.
 */
export function createExistingWorkFinder(
  record: ContentRecord,
  titles: WorksByTitle,
  { type, name }: { type: ContentType; name: string },
): (sought: WorkMatchCriteria) => Promise<string | null> {
  const relation = findAuthorAndTopicRelations(type).authors ?? "";
  return async (sought) => {
    if ((await record.itemBySourceKey(sought.sourceKey)) !== null) return null;
    const sameTitle = (titles.get(normalizeTitle(sought.title)) ?? [])
      .filter(({ sourceKey }) => sourceKey?.startsWith(`bibliography:${name}/`) !== true)
      .map(({ path }) => path);
    const candidates = sought.path === null ? sameTitle : [sought.path, ...sameTitle];
    const found = await Promise.all(candidates.map((path) => record.itemAt(path)));
    const works = found.filter((item) => item?.type === type.name && item.status !== "deleted");
    if (works.length === 0) return null;
    const people = await Promise.all(sought.authors.map((author) => record.itemAt(author)));
    const ids = new Set(people.flatMap((person) => person?.id ?? []));
    const linksOf = (item: Item) => (item.relations[relation] ?? []).map(({ to }) => to);
    const same = works.find(
      (item) => item && isSameWork(item, sought, { links: linksOf(item), ids }),
    );
    return same?.path ?? null;
  };
}

function isSameWork(
  item: Item,
  { path, authors, values }: WorkMatchCriteria,
  { links, ids }: { links: readonly string[]; ids: ReadonlySet<string> },
): boolean {
  const hasNoAuthor = links.length + authors.length === 0;
  const sharesAuthor = links.some((id) => ids.has(id));
  return item.path === path || hasNoAuthor || sharesAuthor || sharesIdentifier(item, values);
}

function sharesIdentifier({ fields }: Item, values: WorkMatchCriteria["values"]): boolean {
  return IDENTIFIER_FIELDS.some(
    (name) => fields[name] !== undefined && fields[name] === values[name],
  );
}
