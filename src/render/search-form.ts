import type { ContentType } from "../content/types/content-type.ts";
import { SEARCH_CHARACTERS_MAX } from "../search/query.ts";
import { html, type SafeHtml } from "./html.ts";

interface SearchForm {
  text: string;
  types: readonly ContentType[];
  chosen: string | null;
  /** The header of every page has a short form. */
  place: "header" | "page";
}

/** Also a WebMCP tool: supporting browsers offer it to agents as `search_site`. */
export function searchForm({ text, types, chosen, place }: SearchForm): SafeHtml {
  const id = `search-${place}`;
  return html`<form class="search ${id}" role="search" action="/search" method="get" toolname="search_site" tooldescription="Search everything this site publishes; the answer is a page of results with links."${place === "header" && html` aria-label="Site search"`}>
<label for="${id}"${place === "header" && html` class="visually-hidden"`}>Search for</label>
<input id="${id}" name="q" type="search" value="${text}" maxlength="${SEARCH_CHARACTERS_MAX}" required autocomplete="off" toolparamdescription="Words to find; quoted words must stand together, -word excludes.">
${place === "page" && typeField(types, chosen)}<button type="submit">Search</button>
</form>\n`;
}

function typeField(types: readonly ContentType[], chosen: string | null): SafeHtml | null {
  if (types.length < 2) return null;
  return html`<label for="search-type">in</label>
<select id="search-type" name="type" toolparamdescription="Kind of content to search; empty for all.">
<option value="">everything</option>
${types.map(({ name, plural }) => html`<option value="${name}"${name === chosen && html` selected`}>${plural}</option>\n`)}</select>
`;
}
