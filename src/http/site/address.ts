import { canonicalPath, pagePathOfMarkdownPath } from "../../content/addresses/addresses.ts";

/** The result of parsing a request path: the path of a page, or `malformed`. */
export type ParsedAddress =
  | { kind: "malformed" }
  /** `path` is decoded and canonical. `not_canonical`: the request had another spelling of this path. */
  | { kind: "path" | "not_canonical"; path: string };

/** Parses an encoded path. The canonical form is that of {@link canonicalPath}, with minimal encoding. */
export function parseAddress(encoded: string): ParsedAddress {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded);
  } catch {
    return { kind: "malformed" };
  }
  if (/\p{Cc}/u.test(decoded)) return { kind: "malformed" };
  const path = canonicalPath(decoded);
  return { kind: encodePath(path) === encoded ? "path" : "not_canonical", path };
}

/**
 * Returns the path of the page, and whether `path` is the address of the page's Markdown: `/topics.md` is
 * the Markdown of `/topics`.
 */
export function splitPagePath(path: string): { path: string; isMarkdownPath: boolean } {
  const page = pagePathOfMarkdownPath(path);
  return { path: page ?? path, isMarkdownPath: path.endsWith(".md") };
}

/** Encodes a path for `Location`: escapes `?` and `#`, which would start a query or fragment. */
export function encodePath(path: string): string {
  return encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);
}
