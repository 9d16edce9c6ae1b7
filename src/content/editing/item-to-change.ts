import { AppError } from "../../errors.ts";
import { parseRequestedPath } from "../addresses/path-claims.ts";
import type { Item, ItemInput } from "../items/item.ts";
import type { ContentReader, ContentTransaction } from "../record.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";

/** Selects the item to change. */
export interface ChangeTarget {
  /** Without an id, the item is selected by source key, then by path. */
  id?: string;
  /** `new`: fail with `conflict` if the item exists. */
  expects?: "new" | "any";
  /** Optimistic concurrency: the current revision. Any other value fails with `precondition`. */
  revision?: number;
}

interface Lookup {
  type: ContentType;
  types: ContentTypes;
  options: ChangeTarget;
}

/**
 * The item that an input changes; null if the input creates an item.
 *
 * @throws {AppError} `conflict`, `not_found`, `precondition`.
 */
export async function findItemToChange(
  transaction: ContentTransaction,
  input: ItemInput,
  { type, types, options }: Lookup,
): Promise<Item | null> {
  const before = await findItem(transaction, input, { type, types, options });
  if (before === null) {
    if (options.revision === undefined) return null;
    throw new AppError("precondition", {
      en: `There is no item ${quoteItemName(input)} to change`,
      de: `Den Inhalt „${inputName(input)}“ gibt es nicht, er lässt sich also nicht ändern`,
    });
  }
  if (options.expects === "new") throw alreadyExists(input, before);
  if (before.status === "deleted") {
    throw new AppError("conflict", {
      en: `Cannot save ${quoteItemName(input)}: it was deleted at ${before.updatedAt}. Restore a revision of it first`,
      de: `„${inputName(input)}“ wurde inzwischen gelöscht: Holen Sie zuerst eine frühere Fassung zurück`,
    });
  }
  if (before.type !== type.name) {
    throw new AppError("conflict", {
      en: `Cannot save ${quoteItemName(input)}: "${before.path}" has the type ${before.type}, which never changes`,
      de: `„${inputName(input)}“ lässt sich nicht speichern: „${before.path}“ ist vom Typ ${before.type}, und der Typ bleibt immer gleich`,
    });
  }
  requireRevision(before, options.revision);
  await requireFreeSourceKey(transaction, before, input.sourceKey?.normalize("NFC"));
  return before;
}

/**
 * Refuses a source key that another item has. An input can contain such a key if its item was selected by
 * id.
 */
async function requireFreeSourceKey(
  transaction: ContentTransaction,
  before: Item,
  sourceKey: string | undefined,
): Promise<void> {
  if (sourceKey === undefined || sourceKey === before.sourceKey) return;
  const holder = await transaction.itemBySourceKey(sourceKey);
  if (holder === null || holder.id === before.id) return;
  const reason = {
    en: `it belongs to the item ${holder.id} at "${holder.path}"`,
    de: `Er gehört zum Inhalt unter „${holder.path}“`,
  };
  throw new AppError(
    "conflict",
    {
      en: `Cannot give "${before.path}" the source key "${sourceKey}": ${reason.en}. Choose another`,
      de: `„${before.path}“ kann den Quellschlüssel „${sourceKey}“ nicht bekommen: ${reason.de}. Wählen Sie einen anderen`,
    },
    { problems: [{ where: "sourceKey", message: reason }] },
  );
}

function alreadyExists(input: ItemInput, { id, path, sourceKey }: Item): AppError {
  const isSameKey = input.sourceKey !== undefined && input.sourceKey.normalize("NFC") === sourceKey;
  const reason = {
    en: `it belongs to the item ${id} at "${path}"`,
    de: `Sie gehört zum Inhalt unter „${path}“`,
  };
  const [where, what] = isSameKey
    ? ["sourceKey", `source key "${sourceKey}"`]
    : ["path", `path "${path}"`];
  const message = {
    en: `Cannot create ${quoteItemName(input)}: the ${what} is taken, ${reason.en}. Change that item, or choose another`,
    de: `„${inputName(input)}“ lässt sich nicht anlegen: Die Adresse ist vergeben. ${reason.de}. Ändern Sie diesen, oder wählen Sie eine andere Adresse`,
  };
  return new AppError("conflict", message, { problems: [{ where, message: reason }] });
}

async function findItem(
  transaction: ContentTransaction,
  input: ItemInput,
  { type, types, options }: Lookup,
): Promise<Item | null> {
  if (options.id !== undefined) return await requireExistingItem(transaction, options.id);
  if (input.sourceKey !== undefined) {
    const item = await transaction.itemBySourceKey(input.sourceKey.normalize("NFC"));
    if (item !== null) return item;
  }
  const path = parseRequestedPath(input, type, types);
  if (path === null) return null;
  const claim = await transaction.claim(path);
  if (claim === null) return null;
  const holder = await transaction.item(claim.itemId);
  const hasOtherKey = input.sourceKey !== undefined && holder !== null && holder.sourceKey !== null;
  // If the item at the path has another source key, the input is a new item. `chooseAvailablePath` later reports
  // the conflict.
  return claim.isCurrent && !hasOtherKey ? holder : null;
}

/** @throws {AppError} `not_found`. */
export async function requireExistingItem(content: ContentReader, id: string): Promise<Item> {
  const item = await content.item(id);
  if (item === null) throw itemNotFoundError(id);
  return item;
}

export function itemNotFoundError(id: string): AppError {
  return new AppError("not_found", {
    en: `There is no item with the id ${id}`,
    de: "Diesen Inhalt gibt es nicht mehr: Suchen Sie ihn in der Liste der Inhalte",
  });
}

/** @throws {AppError} `precondition`, naming both revisions. */
export function requireRevision(item: Item, revision: number | undefined): void {
  if (revision === undefined || revision === item.revision) return;
  throw new AppError("precondition", {
    en: `"${item.path}" is at revision ${item.revision}, not ${revision}: someone changed it meanwhile. Read it again, then repeat the change`,
    de: `„${item.path}“ hat inzwischen jemand anders geändert, und nichts wurde überschrieben: Öffnen Sie die Seite neu und ändern Sie dann noch einmal`,
  });
}

export function quoteItemName(input: ItemInput): string {
  return `"${inputName(input)}"`;
}

function inputName({ path, sourceKey, title }: ItemInput): string {
  return path ?? sourceKey ?? title;
}
