import { canonicalQuery } from "./address-patterns.ts";

/**
 * Escapes the characters that parsing an address would decode, trim or cut off. Letters of any script stay
 * readable.
 */
export function escapePath(path: string): string {
  return path.replaceAll(/[%#?\s]/g, encodeURIComponent);
}

/** The inverse of `parseFormerAddress`, which parses the result into `from`. */
export function formatFormerAddress(from: string): string {
  const [, path = "", query = ""] = /^([^?]*)\?(.+)$/su.exec(from) ?? [];
  const hasQuery = query !== "" && canonicalQuery(new URLSearchParams(query)) === query;
  return hasQuery ? `${escapePath(path)}?${query}` : escapePath(from);
}
