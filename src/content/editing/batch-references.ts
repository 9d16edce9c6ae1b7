import { predictItemPath } from "../addresses/path-claims.ts";
import type { Item, ItemInput } from "../items/item.ts";
import type { ContentReader } from "../record.ts";
import { changesStatusOrAddress } from "./reference-checks.ts";
import type { References } from "./references.ts";

/** One item of a bulk load. */
interface LoadEntry {
  input: ItemInput | null;
  hasStatus: boolean;
  isNotPublic?: boolean;
}

/** Returns the references to an item, or null if they are unknown. */
export type FindReferences = (id: string) => Promise<References | null>;

/**
 * Looks up the references to the items that a batch would withdraw or move to another address. Call it
 * before the transaction that saves the batch: a transaction must not wait for the editors' index.
 *
 * @throws {AppError} `unavailable` while the editors' index is still being built.
 */
export async function findAffectedReferences(
  record: ContentReader,
  batch: readonly LoadEntry[],
  { status, referencesOf }: { status?: "draft" | "published"; referencesOf?: FindReferences },
): Promise<ReadonlyMap<ItemInput, References>> {
  const found = new Map<ItemInput, References>();
  if (referencesOf === undefined) return found;
  for (const { input, hasStatus, isNotPublic = false } of batch) {
    if (input === null) continue;
    const newStatus = isNotPublic || (hasStatus && status === undefined) ? input.status : status;
    if (!mayChangePathOrWithdraw(input, newStatus)) continue;
    const before = await findItemToReplace(record, input);
    if (before === null || !changesStatusOrAddress(before, patchOf(input, newStatus))) continue;
    const references = await referencesOf(before.id);
    if (references !== null) found.set(input, references);
  }
  return found;
}

/**
 * Whether saving an input could withdraw the item or change its address. An input without a source key
 * selects the item by its path, so the path does not change.
 */
function mayChangePathOrWithdraw(
  input: ItemInput,
  status: ItemInput["status"] | undefined,
): boolean {
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

/** The item that an input replaces, found by source key or else by path or slug. */
export async function findItemToReplace(
  record: ContentReader,
  input: ItemInput,
): Promise<Item | null> {
  const sourceKey = input.sourceKey?.normalize("NFC");
  const bySource = sourceKey === undefined ? null : await record.itemBySourceKey(sourceKey);
  const isNamed = input.path !== undefined || input.slug !== undefined;
  if (bySource !== null || !isNamed) return bySource;
  const path = predictItemPath(input, await record.types());
  const byPath = path === null ? null : await record.itemAt(path);
  return byPath?.path === path ? byPath : null;
}
