import { inputError, type Problem, type Wording } from "../../errors.ts";
import type { Item, ItemOutline } from "../items/item.ts";
import type { ContentReader, ContentTransaction, ItemChange } from "../record.ts";
import type { ContentTypes } from "../types/content-type.ts";

/** The field with a page's position in the main navigation. */
export const NAVIGATION_FIELD = "navigation";

export function typesWithNavigationField(types: ContentTypes): string[] {
  return [...types.values()]
    .filter(({ fields }) => fields[NAVIGATION_FIELD]?.sort === true)
    .map(({ name }) => name);
}

/**
 * The pages in the navigation, in order and in every status. Excludes the home page, which is
 * always linked.
 */
export async function listNavigationPages(content: ContentReader): Promise<ItemOutline[]> {
  const types = typesWithNavigationField(await content.types());
  const positioned = await content.itemsWithField(types, NAVIGATION_FIELD);
  return positioned
    .filter(({ item }) => item.path !== "/")
    .sort((a, b) => Number(a.value) - Number(b.value))
    .map(({ item }) => item);
}

/**
 * Sets the navigation to these pages, in this order.
 *
 * @throws {AppError} `invalid`, with a problem for each page that cannot be used.
 */
export async function setNavigationPages(
  transaction: ContentTransaction,
  names: readonly string[],
  change: Pick<ItemChange, "at" | "actor" | "requestId">,
): Promise<void> {
  const types = await transaction.types();
  const found = await transaction.references(names.map((name) => name.normalize("NFC")));
  const problems: Problem[] = [];
  const pages: Item[] = [];
  for (const [position, name] of names.entries()) {
    const id = found.get(name.normalize("NFC"))?.id;
    const item = id === undefined ? null : await transaction.item(id);
    const fault = pageFault(item, { name, pages, types });
    if (fault !== null) problems.push({ where: `navigation[${position}]`, message: fault });
    else if (item !== null) pages.push(item);
  }
  if (problems.length > 0) {
    throw inputError(
      { en: "Cannot change the navigation", de: "Die Navigation lässt sich so nicht ändern" },
      problems,
    );
  }
  for (const { id } of await listNavigationPages(transaction)) {
    const before = pages.some((page) => page.id === id) ? null : await transaction.item(id);
    if (before !== null) await putPosition(transaction, before, { position: null, change });
  }
  for (const [index, before] of pages.entries()) {
    await putPosition(transaction, before, { position: index + 1, change });
  }
}

function pageFault(
  item: Item | null,
  { name, pages, types }: { name: string; pages: readonly Item[]; types: ContentTypes },
): Wording | null {
  if (item === null) {
    return {
      en: `no item has the path, source key or id "${name}"`,
      de: `Kein Inhalt hat die Adresse „${name}“`,
    };
  }
  if (item.status === "deleted") {
    return { en: `"${item.title}" was deleted`, de: `„${item.title}“ ist gelöscht` };
  }
  if (item.path === "/") {
    return {
      en: "the home page is linked from every page anyway",
      de: "Zur Startseite führt ohnehin jede Seite",
    };
  }
  const possibleTypes = typesWithNavigationField(types);
  if (!possibleTypes.includes(item.type)) {
    return {
      en: `"${item.path}" is of the type ${item.type}; only ${possibleTypes.join(", ")} can stand here`,
      de: `„${item.path}“ ist vom Typ ${item.type}; hier kann nur ${possibleTypes.join(", ")} stehen`,
    };
  }
  return pages.some(({ id }) => id === item.id)
    ? { en: `"${item.path}" is here twice`, de: `„${item.path}“ steht doppelt da` }
    : null;
}

async function putPosition(
  transaction: ContentTransaction,
  before: Item,
  {
    position,
    change,
  }: { position: number | null; change: Pick<ItemChange, "at" | "actor" | "requestId"> },
): Promise<void> {
  if (before.fields[NAVIGATION_FIELD] === (position ?? undefined)) return;
  const { [NAVIGATION_FIELD]: _, ...others } = before.fields;
  const item: Item = {
    ...before,
    fields: position === null ? others : { ...others, [NAVIGATION_FIELD]: position },
    updatedAt: change.at,
    revision: before.revision + 1,
  };
  await transaction.put(item, { ...change, before, action: "content.update" });
}
