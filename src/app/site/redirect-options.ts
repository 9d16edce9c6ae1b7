import type { Config } from "../../config.ts";
import type { RedirectChangeContext } from "../../content/addresses/redirect-change-context.ts";
import { findDocument } from "../../discovery/documents.ts";

/** What redirects of the site are checked against: its origin, and which paths are documents. */
export function siteRedirectOptions({
  origin,
}: Config): Pick<RedirectChangeContext, "origin" | "isDocument"> {
  return { origin, isDocument: (path) => findDocument(path) !== null };
}
