import type { Config } from "../../config.ts";
import type { RedirectChangeContext } from "../../content/addresses/redirect-change-context.ts";
import { findDocument } from "../../discovery/documents.ts";

/**
 * The options for checking redirects of the site: its origin, and a test for paths of discovery documents.
 */
export function createSiteRedirectOptions({
  origin,
}: Config): Pick<RedirectChangeContext, "origin" | "isDocument"> {
  return { origin, isDocument: (path) => findDocument(path) !== null };
}
