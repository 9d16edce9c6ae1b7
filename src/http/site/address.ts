import { pageOfMarkdownPath } from "../../content/addresses/addresses.ts";

/** What the path of a request means. */
export type Address =
  | { kind: "malformed" }
  /** `elsewhere`: `path` is the right way to write it. Decoded. */
  | { kind: "path" | "elsewhere"; path: string };

/** Reads an encoded path: one slash between segments and none at the end, NFC, encoded no more than needed. */
export function readAddress(encoded: string): Address {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded);
  } catch {
    return { kind: "malformed" };
  }
  if (/\p{Cc}/u.test(decoded)) return { kind: "malformed" };
  const path = decoded
    .normalize("NFC")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/(?<=.)\/$/, "");
  return { kind: encodePath(path) === encoded ? "path" : "elsewhere", path };
}

/** The page and the form a path asks for. */
export function pageAt(path: string): { path: string; isTwin: boolean } {
  const page = pageOfMarkdownPath(path);
  return { path: page ?? path, isTwin: path.endsWith(".md") };
}

/** Safe as a `Location`: begins with one slash, and nothing in it starts a query. */
export function encodePath(path: string): string {
  return encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);
}
