import type { ReadingCopy } from "../library.ts";
import { canonicalQuery } from "./address-patterns.ts";

/**
 * The path with its query, such as `/?p=12`, if the site has a redirect for exactly this address;
 * null: it has none.
 */
export function redirectedAddressWithQuery(
  reading: Pick<ReadingCopy, "resolve">,
  { path, query }: { path: string; query: URLSearchParams },
): string | null {
  if (query.size === 0) return null;
  const formerAddress = `${path}?${canonicalQuery(query)}`;
  return reading.resolve(formerAddress).kind === "absent" ? null : formerAddress;
}

/** The query of an address, without its fragment. */
export function queryOfAddress(address: string): URLSearchParams {
  return new URLSearchParams(/^[^#?]*\?([^#]*)/u.exec(address)?.[1]);
}
