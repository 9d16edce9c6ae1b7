import type { Config } from "../../config.ts";
import type { RedirectOptions } from "../../content/addresses/redirects.ts";
import { findDocument } from "../../discovery/documents.ts";

/** What redirects of the site are checked against: its origin, and which paths are documents. */
export function siteRedirectOptions({
  origin,
}: Config): Pick<RedirectOptions, "origin" | "isDocument"> {
  return { origin, isDocument: (path) => findDocument(path) !== null };
}
