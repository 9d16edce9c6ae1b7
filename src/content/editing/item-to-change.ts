import { AppError } from "../../errors.ts";
import { statedPath } from "../addresses/path-claims.ts";
import type { Item, ItemInput } from "../items/item.ts";
import type { ContentTransaction } from "../record.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";

/** Selects the item to change. */
export interface ChangeTarget {
  /** Without an id, the item is found by source key, then by path. */
  id?: string;
  /** `new`: fail with `conflict` if the item exists. */
  expects?: "new" | "any";
  /** Optimistic concurrency: fail with `precondition` unless this is the current revision. */
  revision?: number;
}

interface Search {
  type: ContentType;
  types: ContentTypes;
  options: ChangeTarget;
}

/**
 * The item that an input changes; null if it creates one.
 *
 * @throws {AppError} `conflict`, `not_found`, `precondition`.
 */
export async function itemToChange(
  transaction: ContentTransaction,
  input: ItemInput,
  { type, types, options }: Search,
): Promise<Item | null> {
  const before = await findItem(transaction, input, { type, types, options });
  if (before === null) {
    if (options.revision === undefined) return null;
    throw new AppError("precondition", `There is no item ${subjectOf(input)} to change`);
  }
  if (options.expects === "new") throw alreadyExists(input, before);
  if (before.status === "deleted") {
    throw new AppError(
      "conflict",
      `Cannot save ${subjectOf(input)}: it was deleted at ${before.updatedAt}. Restore a revision of it first`,
    );
  }
  if (before.type !== type.name) {
    throw new AppError(
      "conflict",
      `Cannot save ${subjectOf(input)}: "${before.path}" has the type ${before.type}, which never changes`,
    );
  }
  requireRevision(before, options.revision);
  return before;
}

function alreadyExists(input: ItemInput, { id, path, sourceKey }: Item): AppError {
  const isSameKey = input.sourceKey !== undefined && input.sourceKey.normalize("NFC") === sourceKey;
  const reason = `it belongs to the item ${id} at "${path}"`;
  const [where, what] = isSameKey
    ? ["sourceKey", `source key "${sourceKey}"`]
    : ["path", `path "${path}"`];
  const message = `Cannot create ${subjectOf(input)}: the ${what} is taken, ${reason}. Change that item, or choose another`;
  return new AppError("conflict", message, { problems: [{ where, message: reason }] });
}

async function findItem(
  transaction: ContentTransaction,
  input: ItemInput,
  { type, types, options }: Search,
): Promise<Item | null> {
  if (options.id !== undefined) {
    const item = await transaction.item(options.id);
    if (item === null)
      throw new AppError("not_found", `There is no item with the id ${options.id}`);
    return item;
  }
  if (input.sourceKey !== undefined) {
    const item = await transaction.itemBySourceKey(input.sourceKey.normalize("NFC"));
    if (item !== null) return item;
  }
  const path = statedPath(input, type, types);
  if (path === null) return null;
  const claim = await transaction.claim(path);
  if (claim === null) return null;
  const holder = await transaction.item(claim.itemId);
  const hasOtherKey = input.sourceKey !== undefined && holder !== null && holder.sourceKey !== null;
  // With a different source key this is a new item, and availablePath reports the conflict.
  return claim.isCurrent && !hasOtherKey ? holder : null;
}

/** @throws {AppError} `precondition`, naming both revisions. */
export function requireRevision(item: Item, revision: number | undefined): void {
  if (revision === undefined || revision === item.revision) return;
  throw new AppError(
    "precondition",
    `"${item.path}" is at revision ${item.revision}, not ${revision}: someone changed it meanwhile. Read it again, then repeat the change`,
  );
}

/** The name of an input in messages. */
export function subjectOf(input: ItemInput): string {
  return `"${input.path ?? input.sourceKey ?? input.title}"`;
}
