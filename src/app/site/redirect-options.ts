import type { Config } from "../../config.ts";
import type { RedirectOptions } from "../../content/addresses/redirects.ts";
import { findDocument } from "../../discovery/documents.ts";

/** The origin and the documents of the site, against which redirects are checked. */
export function siteRedirectOptions({
  origin,
}: Config): Pick<RedirectOptions, "origin" | "isDocument"> {
  return { origin, isDocument: (path) => findDocument(path) !== null };
}
