import type { ContentType } from "../content/types/content-type.ts";
import { SEARCH_CHARACTERS_MAX } from "../search/query.ts";
import type { SiteTexts } from "../texts/site/english.ts";
import { html, type SafeHtml } from "./html.ts";

interface SearchForm {
  /** Path of the search page. */
  action: string;
  text: string;
  types: readonly ContentType[];
  chosen: string | null;
  /** `header`: in the header of every page, without the choice of a type. */
  place: "header" | "page";
  texts: SiteTexts;
  hidden?: readonly { name: string; value: string }[];
}

/**
 * The search form. It is also a WebMCP tool: browsers with WebMCP offer it to agents as `search_site`.
 */
export function searchFormHtml({
  action,
  text,
  types,
  chosen,
  place,
  texts: { search },
  hidden = [],
}: SearchForm): SafeHtml {
  const id = `search-${place}`;
  return html`<form class="search ${id}" role="search" action="${action}" method="get" toolname="search_site" tooldescription="Search everything this site publishes; the answer is a page of results with links."${place === "header" && html` aria-label="${search.site}"`}>
<label for="${id}"${place === "header" && html` class="visually-hidden"`}>${search.label}</label>
<input id="${id}" name="q" type="search" value="${text}" maxlength="${SEARCH_CHARACTERS_MAX}" required autocomplete="off" toolparamdescription="Words to find; quoted words must stand together, -word excludes.">
${hidden.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">`)}${place === "page" && typeField(search, types, chosen)}<button type="submit">${search.button}</button>
</form>\n`;
}

function typeField(
  texts: SiteTexts["search"],
  types: readonly ContentType[],
  chosen: string | null,
): SafeHtml | null {
  if (types.length < 2) return null;
  return html`<label for="search-type">${texts.typeLabel}</label>
<select id="search-type" name="type" toolparamdescription="Kind of content to search; empty for all.">
<option value="">${texts.anyType}</option>
${types.map(({ name, plural }) => html`<option value="${name}"${name === chosen && html` selected`}>${plural}</option>\n`)}</select>
`;
}
