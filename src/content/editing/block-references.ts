import type { Item, ItemInput } from "../items/item.ts";
import type { ContentReader } from "../record.ts";
import { mayLeaveAddress, type References } from "./references.ts";

/** One item of a load. */
interface StatedItem {
  input: ItemInput | null;
  hasStatus: boolean;
  isNotPublic?: boolean;
}

/** Returns what points to an item; null: unknown. */
export type ReferencesOf = (id: string) => Promise<References | null>;

/**
 * Looks up what points to the items that a batch withdraws or moves to another address. Call it before
 * the transaction that saves the batch: a transaction must not wait for the desk's index.
 *
 * @throws {AppError} `unavailable` while the desk's index is built.
 */
export async function referencesToLeaving(
  record: ContentReader,
  block: readonly StatedItem[],
  { status, referencesOf }: { status?: "draft" | "published"; referencesOf?: ReferencesOf },
): Promise<ReadonlyMap<ItemInput, References>> {
  const found = new Map<ItemInput, References>();
  if (referencesOf === undefined) return found;
  for (const { input, hasStatus, isNotPublic = false } of block) {
    if (input === null) continue;
    const newStatus = isNotPublic || (hasStatus && status === undefined) ? input.status : status;
    if (!mayLeave(input, newStatus)) continue;
    const before = await existingItemOf(record, input);
    if (before === null || !mayLeaveAddress(before, patchOf(input, newStatus))) continue;
    const references = await referencesOf(before.id);
    if (references !== null) found.set(input, references);
  }
  return found;
}

/** Fast path: an item that is found by its path and stays or becomes public keeps its address. */
function mayLeave(input: ItemInput, status: ItemInput["status"] | undefined): boolean {
  const isWithdrawn = status === "draft" || status === "archived";
  const isNamed = input.path !== undefined || input.slug !== undefined;
  return isWithdrawn || (isNamed && input.sourceKey !== undefined);
}

function patchOf({ path, slug }: ItemInput, status: ItemInput["status"] | undefined) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(path === undefined ? {} : { path: path.normalize("NFC") }),
    ...(slug === undefined ? {} : { slug }),
  };
}

/** The item that an input of a load replaces: by source key, else by path. */
export async function existingItemOf(
  record: ContentReader,
  input: ItemInput,
): Promise<Item | null> {
  const bySource =
    input.sourceKey === undefined ? null : await record.itemBySourceKey(input.sourceKey);
  if (bySource !== null || input.path === undefined) return bySource;
  const byPath = await record.itemAt(input.path);
  return byPath?.path === input.path ? byPath : null;
}
