import { pageUrl } from "../content/addresses/addresses.ts";
import { CONTACT_PATH } from "../content/pages/contact-forms.ts";
import type { DocumentContext } from "./document.ts";

/** Where people request an MCP key: the contact page, which every site has. */
export function keyContact({ origin }: Pick<DocumentContext, "origin">): string {
  return pageUrl(origin, CONTACT_PATH);
}
