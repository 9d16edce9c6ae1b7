import { canonicalQuery } from "./address-patterns.ts";

/** Escapes what reading an address would decode, trim or cut off; letters of any script stay readable. */
export function writtenPath(path: string): string {
  return path.replaceAll(/[%#?\s]/g, encodeURIComponent);
}

/** A stored former address as a text that `formerAddress` reads as the same address. */
export function writtenFormerAddress(from: string): string {
  const [, path = "", query = ""] = /^([^?]*)\?(.+)$/su.exec(from) ?? [];
  const hasQuery = query !== "" && canonicalQuery(new URLSearchParams(query)) === query;
  return hasQuery ? `${writtenPath(path)}?${query}` : writtenPath(from);
}
