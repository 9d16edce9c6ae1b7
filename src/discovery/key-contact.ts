import { markdownUrl } from "../content/addresses.ts";
import type { DocumentContext } from "./document.ts";

/** Where to ask for an MCP key: the contact page, or the mailbox of a site without one. */
export function keyContact({
  reading,
  origin,
}: Pick<DocumentContext, "reading" | "origin">): string {
  if (reading.resolve("/contact").kind === "item") return markdownUrl(origin, "/contact");
  return `mailto:${reading.site().contact.email}`;
}
