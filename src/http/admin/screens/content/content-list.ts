import { type FoundContent, findContent } from "../../../../content/desk/finding.ts";
import { STATUSES } from "../../../../content/items/item.ts";
import {
  type ContentType,
  type ContentTypes,
  sortOrdersOf,
} from "../../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { screenResponse } from "../frame/frame.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { findDraftsOfNewItems, renderDraftCards } from "./drafts.ts";
import { newItemForms } from "./new-item-forms.ts";
import { renderSelectableItemCards } from "./selection.ts";
import { fieldFilterControls, fieldFiltersFromQuery, withTypeColumns } from "./type-columns.ts";

const ITEMS_PER_PAGE = 50;
const SCREEN_PATH = "/admin/content";

/** Lists content in every status, with a search by words, names or address. */
export const contentListScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const searchText = query.get("q")?.trim().slice(0, 200) ?? "";
    const types = await readTypesWithScreenLabels(visit);
    const type = types.get(query.get("type") ?? "");
    const filters = fieldFiltersFromQuery(type, query);
    const sort = sortIn(type, query);
    const status = STATUSES.find((name) => name === query.get("status"));
    const cursor = query.get("cursor");
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const page = await findContent(stores, signedIn.actor, {
      types: type === undefined ? [] : [type.name],
      statuses: status === undefined ? STATUSES.filter((name) => name !== "deleted") : [status],
      filters,
      ...(searchText === "" ? { ...(sort !== "" && { sort }) } : { text: searchText }),
      limit: ITEMS_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const { items, nextCursor } = page;
    const drafts =
      cursor === null
        ? await findDraftsOfNewItems(visit, { text: searchText, type: type?.name })
        : [];
    const more = new URLSearchParams(query);
    more.set("cursor", nextCursor ?? "");
    const isEmpty = items.length + drafts.length === 0;
    const content = html`${filterForm(visit, { types, searchText, type, status, sort, filters })}${summary(visit, page)}${isEmpty ? html`<p>${texts.content.none}</p>\n` : await renderSelectableItemCards(visit, await withTypeColumns(visit, type, items))}${drafts.length > 0 && html`<h2>${texts.content.newDrafts}</h2>\n${await renderDraftCards(visit, drafts)}`}${nextCursor !== null && html`<p><a class="button quiet" href="${SCREEN_PATH}?${String(more)}">${texts.content.next}</a></p>\n`}${signedIn.actor.scopes.includes("content:write") && html`<p><a href="/admin/replace">${texts.many.replace.title}</a></p>\n`}${await newItemForms(visit, isEmpty ? searchText : "")}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.content.title, content });
  },
};

/** The number of results, in total and by status, and notes on the search. */
function summary(
  { texts }: Pick<ScreenVisit, "texts">,
  { total, totalIsExact, counts, correctedText, isCurrent }: FoundContent,
): SafeHtml {
  const number = numberText(texts, total);
  const byStatus = STATUSES.flatMap((status) => {
    const count = counts?.[status] ?? 0;
    return count === 0 ? [] : [`${texts.status[status]} ${numberText(texts, count)}`];
  });
  const totalText = texts.content.total(totalIsExact ? number : `${number}+`);
  return html`<p class="state">${[totalText, ...byStatus].join(" · ")}</p>
${correctedText !== null && html`<p class="hint">${texts.content.corrected(correctedText)}</p>\n`}${isCurrent === false && html`<p class="hint">${texts.content.stale}</p>\n`}`;
}

interface ListView {
  types: ContentTypes;
  searchText: string;
  type: ContentType | undefined;
  status: string | undefined;
  sort: string;
  filters: Readonly<Record<string, unknown>>;
}

/**
 * The search form with its filters. The filters and sort order of the chosen type are collapsed
 * unless one of them is set.
 */
function filterForm(
  visit: ScreenVisit,
  { types, searchText, type, status, sort, filters }: ListView,
): SafeHtml {
  const { texts, query } = visit;
  const t = texts.content;
  const isOpen = Object.keys(filters).length > 0 || sort !== "";
  const typeFields =
    type !== undefined &&
    html`<details class="more"${isOpen && html` open`}><summary>${t.moreFilters}</summary><div class="filters">
${fieldFilterControls(texts, type, query)}<p><label>${t.sort}<select name="sort">${optionElement("", t.usualSort, sort === "")}${sortsIn(texts, type).map(([name, label]) => optionElement(name, label, name === sort))}</select></label></p>
<p><button class="quiet">${texts.find.button}</button></p></div></details>
`;
  return html`<form class="filters" action="${SCREEN_PATH}">
<p><label>${t.words}<input type="search" name="q" value="${searchText}"></label></p>
<p><label>${t.type}<select name="type"><option value="">${t.anyType}</option>${[...types.values()].map(({ name, label }) => optionElement(name, label, name === type?.name))}</select></label></p>
<p><label>${t.status}<select name="status"><option value="">${t.anyStatus}</option>${STATUSES.map((name) => optionElement(name, texts.status[name], name === status))}</select></label></p>
<p><button class="quiet">${texts.find.button}</button></p>
${typeFields}</form>
`;
}

/** The requested sort order; empty if there is none, or if the type does not have it. */
function sortIn(type: ContentType | undefined, query: URLSearchParams): string {
  const sort = query.get("sort") ?? "";
  return type !== undefined && sortOrdersOf(type).includes(sort) ? sort : "";
}

/** The sort orders to choose from, with their labels. */
function sortsIn({ content: t }: Texts, type: ContentType): [name: string, label: string][] {
  const fields = Object.entries(type.fields).filter(([, { sort }]) => sort === true);
  return [["title", t.name], ...fields.map(([name, { label }]): [string, string] => [name, label])];
}
