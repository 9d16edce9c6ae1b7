import { pageUrl } from "../content/addresses.ts";
import type { DocumentContext } from "./document.ts";

/** Where a person asks for an MCP key: the contact page, or the mailbox of a site without one. */
export function keyContact({
  reading,
  origin,
}: Pick<DocumentContext, "reading" | "origin">): string {
  if (reading.resolve("/contact").kind === "item") return pageUrl(origin, "/contact");
  return `mailto:${reading.site().contact.email}`;
}
