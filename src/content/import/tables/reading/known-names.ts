import { slugOf } from "../../../addresses/paths.ts";
import type { ContentDesk } from "../../../editing/desk.ts";
import { type ItemOutline, STATUSES } from "../../../items/item.ts";
import { patchedInput } from "../../../items/item-patch.ts";
import type { ContentRecord } from "../../../record.ts";
import type { ContentType, ContentTypes } from "../../../types/content-type.ts";
import type { ParsedItem } from "../../parsed-item.ts";
import { keyOfName } from "../named-items.ts";
import type { TableRow } from "../table.ts";
import type { Survey } from "../table-survey.ts";

const PAGE = 1000;

/** Items by their titles, of some types. */
export interface KnownNames {
  /** The path of an item by its type and title, or by the address that such an item would get. */
  pathOf: (type: string, title: string) => string | undefined;
  /** Source keys of items that tables made of names. */
  keys: ReadonlySet<string>;
}

/** The items of these types in every status but deleted. */
export async function knownNames(
  desk: Pick<ContentDesk, "list">,
  types: readonly string[],
): Promise<KnownNames> {
  const paths = new Map<string, string>();
  const addresses = new Map<string, string>();
  const keys = new Set<string>();
  for await (const { type, title, path, sourceKey } of listedOutlines(desk, types)) {
    const name = `${type}/${foldedTitle(title)}`;
    if (!paths.has(name)) paths.set(name, path);
    addresses.set(`${type}/${path.slice(path.lastIndexOf("/") + 1)}`, path);
    if (sourceKey?.startsWith(`table:${type}/`) === true) keys.add(sourceKey);
  }
  const pathOf = (type: string, title: string) =>
    paths.get(`${type}/${foldedTitle(title)}`) ?? addresses.get(`${type}/${slugOf(title)}`);
  return { pathOf, keys };
}

/** The items of these types in every status but deleted, without their texts. */
export async function* listedOutlines(
  desk: Pick<ContentDesk, "list">,
  types: readonly string[],
): AsyncGenerator<ItemOutline> {
  const statuses = STATUSES.filter((status) => status !== "deleted");
  const query = { types, statuses, sort: "title", descending: false, limit: PAGE } as const;
  let page = await desk.list(query);
  for (;;) {
    yield* page.items;
    if (page.next === null) break;
    page = await desk.list({ ...query, after: page.next });
  }
}

/** Whether a row becomes the item of a name, as where topics name others of the same table. */
export function rowNames(
  type: ContentType,
  { columns }: Survey,
  rows: readonly TableRow[],
): (target: string, name: string) => boolean {
  const at = columns.find(({ place }) => place.name === "title")?.at;
  const titles = new Set(
    at === undefined ? [] : rows.map(({ cells }) => foldedTitle(cells[at] ?? "")),
  );
  return (target, name) => target === type.name && titles.has(foldedTitle(name));
}

/** Items that an earlier import made of names, and that are drafts still: they are published with the rows. */
export async function* draftsOfNames(
  record: ContentRecord,
  { named }: Pick<Survey, "named">,
  file: string,
  types: ContentTypes,
): AsyncGenerator<ParsedItem> {
  for (const [target, names] of named) {
    const type = types.get(target);
    if (type === undefined) continue;
    for (const [name, { isPublic, line, column }] of names) {
      const item =
        isPublic === false ? null : await record.itemBySourceKey(keyOfName(target, name));
      if (item?.status !== "draft") continue;
      const placeOf = () => ({ line, field: column });
      const input = { ...patchedInput(item, {}, type), status: "published" as const };
      const nothing = { problems: [], leftOut: [], skipped: null, isNotPublic: false };
      yield { ...nothing, file, input, statesStatus: true, placeOf };
    }
  }
}

/** The form in which titles are compared. */
export function foldedTitle(title: string): string {
  return title.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
