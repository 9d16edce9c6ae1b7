import { formatFormerAddress } from "../content/addresses/address-escaping.ts";
import { parseFormerAddress } from "../content/addresses/redirect-addresses.ts";
import { planRedirectsToItem, removeRedirect } from "../content/addresses/redirects.ts";
import type { Item } from "../content/items/item.ts";
import type { ContentTransaction } from "../content/record.ts";
import { AppError } from "../errors.ts";
import type { SyncPass } from "./pass-parts.ts";

/**
 * Normalizes addresses to the form used in files and sorts them, so that the lists of folder and
 * site can be compared.
 */
export function normalizeFormerAddresses(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map(normalizeAddress))].sort();
}

/** Normalizes an address. A malformed address stays unchanged, and saving it reports what is wrong. */
function normalizeAddress(address: string): string {
  try {
    return formatFormerAddress(parseFormerAddress(address, null, "redirectFrom"));
  } catch (error) {
    if (error instanceof AppError) return address;
    throw error;
  }
}

/**
 * Returns the addresses that were paths of the item before it moved. An item always keeps its earlier
 * paths.
 */
export async function findEarlierPaths(
  { desk }: Pick<SyncPass, "desk">,
  item: Item,
  addresses: readonly string[],
): Promise<string[]> {
  const paths = await desk.pathsTo(item.id);
  const own = new Set(
    paths.filter(({ isRedirect }) => !isRedirect).map(({ path }) => formatFormerAddress(path)),
  );
  return addresses.filter((address) => own.has(address));
}

/**
 * Saves a changed list of an item's former addresses. Adds redirects for new addresses, and removes the
 * redirects of dropped addresses.
 *
 * @throws {AppError} `conflict` for an address that is taken.
 */
export async function saveFormerAddresses(
  transaction: ContentTransaction,
  { actor, now }: Pick<SyncPass, "actor" | "now">,
  { id, path }: Item,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const added = after.filter((address) => !before.includes(address));
  const removed = before.filter((address) => !after.includes(address));
  for (const address of removed) {
    const from = parseFormerAddress(address, null, "redirectFrom");
    const redirect = await transaction.redirectAt(from);
    if (redirect === null) continue;
    await removeRedirect(transaction, actor, redirect.id, { now });
  }
  const redirects = await planRedirectsToItem(transaction, actor, added, {
    ...{ itemId: id, path, now },
    unusableRedirects: "refuse",
  });
  await redirects.put();
}
