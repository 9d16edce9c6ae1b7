import { pageUrl } from "../content/addresses/addresses.ts";
import { CONTACT_PATH } from "../content/pages/contact-forms.ts";
import type { DocumentContext } from "./document.ts";

/** The contact page, where people request an MCP key. Every site has one. */
export function keyRequestUrl({ origin }: Pick<DocumentContext, "origin">): string {
  return pageUrl(origin, CONTACT_PATH);
}
