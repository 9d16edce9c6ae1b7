import { type FoundPage, findContent, findDrafts } from "../../../../content/desk/finding.ts";
import type { DraftOutline } from "../../../../content/drafts/draft.ts";
import { STATUSES } from "../../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import { screenAnswer } from "../frame/frame.ts";
import { option } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { screenTypes } from "../frame/screen-types.ts";
import { draftCards } from "./drafts.ts";
import { newItemForms } from "./new-item-forms.ts";
import { selectableCards } from "./selection.ts";

const ITEMS_PER_PAGE = 50;
const SCREEN_PATH = "/admin/content";

/** Lists content in every status, with a search by words, names or address. */
export const contentList: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const searchText = query.get("q")?.trim().slice(0, 200) ?? "";
    const type = query.get("type") ?? "";
    const status = STATUSES.find((name) => name === query.get("status"));
    const cursor = query.get("cursor");
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const page = await findContent(stores, signedIn.actor, {
      types: type === "" ? [] : [type],
      statuses: status === undefined ? STATUSES.filter((name) => name !== "deleted") : [status],
      filters: {},
      ...(searchText === "" ? {} : { text: searchText }),
      limit: ITEMS_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const { items, nextCursor } = page;
    const drafts =
      searchText === "" || cursor !== null ? [] : await newDrafts(visit, { searchText, type });
    const isEmpty = items.length + drafts.length === 0;
    const content = html`${await filterForm(visit, { searchText, type, status })}${summary(visit, page)}${isEmpty ? html`<p>${texts.content.none}</p>\n` : await selectableCards(visit, items)}${drafts.length > 0 && html`<h2>${texts.content.newDrafts}</h2>\n${await draftCards(visit, drafts)}`}${nextCursor !== null && html`<p><a class="button quiet" href="${SCREEN_PATH}?${String(new URLSearchParams({ q: searchText, type, status: status ?? "", cursor: nextCursor }))}">${texts.content.next}</a></p>\n`}${signedIn.actor.scopes.includes("content:write") && html`<p><a href="/admin/replace">${texts.many.replace.title}</a></p>\n`}${await newItemForms(visit, isEmpty ? searchText : "")}`;
    return screenAnswer({ ...visit, url: SCREEN_PATH }, { title: texts.content.title, content });
  },
};

/** The number of results, in total and by status, and notes on the search. */
function summary(
  { texts }: Pick<ScreenVisit, "texts">,
  { total, totalIsExact, counts, correctedText, isCurrent }: FoundPage,
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

/** Drafts of items that do not exist yet. */
async function newDrafts(
  { parts, signedIn }: ScreenVisit,
  { searchText, type }: { searchText: string; type: string },
): Promise<DraftOutline[]> {
  const stores = { ...parts.stores, deskIndex: parts.deskIndex };
  const { items } = await findDrafts(stores, signedIn.actor, {
    text: searchText,
    ...(type === "" ? {} : { type }),
    limit: ITEMS_PER_PAGE,
  });
  return items.filter(({ itemId }) => itemId === null);
}

async function filterForm(
  visit: ScreenVisit,
  { searchText, type, status }: { searchText: string; type: string; status: string | undefined },
): Promise<SafeHtml> {
  const { texts } = visit;
  const types = [...(await screenTypes(visit)).values()];
  return html`<form class="filters" action="${SCREEN_PATH}">
<p><label>${texts.content.words}<input type="search" name="q" value="${searchText}"></label></p>
<p><label>${texts.content.type}<select name="type"><option value="">${texts.content.anyType}</option>${types.map(({ name, label }) => option(name, label, name === type))}</select></label></p>
<p><label>${texts.content.status}<select name="status"><option value="">${texts.content.anyStatus}</option>${STATUSES.map((name) => option(name, texts.status[name], name === status))}</select></label></p>
<p><button class="quiet">${texts.find.button}</button></p>
</form>
`;
}
