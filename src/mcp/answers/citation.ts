import { pageUrl } from "../../content/addresses/addresses.ts";
import type { ItemSummary } from "../../content/library.ts";
import type { CallContext } from "../offering.ts";

/** A citation: author, title, work, year, site and URL. */
export function citationOf(item: ItemSummary, { reading, origin }: CallContext): string {
  const { links, fields, title } = item;
  const names = (relation: string) => (links[relation] ?? []).map((link) => link.title);
  const authors = names("authors").join(", ");
  const source = [...names("work"), text(fields["locator"])].filter(Boolean).join(", ");
  const year = text(fields["year"]);
  const parts = [authors, `“${title}”`, source, year, reading.site().name].filter(Boolean);
  return `${parts.join(". ")}. ${pageUrl(origin, item.path)}`;
}

function text(value: ItemSummary["fields"][string] | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
