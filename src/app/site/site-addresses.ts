import type { Config } from "../../config.ts";
import type { RedirectOptions } from "../../content/addresses/redirects.ts";
import { findDocument } from "../../discovery/documents.ts";

/** What redirects are checked against. */
export function siteAddresses({ origin }: Config): Pick<RedirectOptions, "origin" | "isDocument"> {
  return { origin, isDocument: (path) => findDocument(path) !== null };
}
