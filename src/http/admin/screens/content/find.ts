import { findContent } from "../../../../content/desk/finding.ts";
import { STATUSES } from "../../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { screenResponse } from "../frame/frame.ts";
import { findScreens } from "../frame/navigation.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { findDraftsOfNewItems, renderDraftCards } from "./drafts.ts";
import { renderEditableItemCards } from "./item-cards.ts";
import { newItemForms } from "./new-item-forms.ts";

const SCREEN_PATH = "/admin/find";
const ITEMS_SHOWN_MAX = 20;

/** Searches items in every status, drafts of new items, and screens. */
export const searchScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const searchText = query.get("q")?.trim().slice(0, 200) ?? "";
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const { items, total } = await findContent(stores, signedIn.actor, {
      types: [],
      statuses: STATUSES.filter((name) => name !== "deleted"),
      filters: {},
      ...(searchText === "" ? {} : { text: searchText }),
      limit: ITEMS_SHOWN_MAX,
    });
    const drafts =
      searchText === ""
        ? []
        : await findDraftsOfNewItems(visit, { text: searchText, type: undefined });
    const more = new URLSearchParams({ q: searchText });
    const content = html`<p class="hint">${texts.find.hint}</p>
${screenLinks(visit, searchText)}<h2>${texts.find.items}</h2>
${items.length + drafts.length === 0 && html`<p>${texts.content.none}</p>\n`}${items.length > 0 && (await renderEditableItemCards(visit, items))}${total > items.length && html`<p><a class="button quiet" href="/admin/content?${String(more)}">${texts.content.total(String(total))}</a></p>\n`}${drafts.length > 0 && html`<h2>${texts.content.newDrafts}</h2>\n${await renderDraftCards(visit, drafts)}`}${await newItemForms(visit, searchText)}`;
    const title = searchText === "" ? texts.find.title : texts.find.found(searchText);
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title, content });
  },
};

function screenLinks({ texts, signedIn }: ScreenVisit, searchText: string): SafeHtml | null {
  const screens = findScreens(texts, { scopes: signedIn.actor.scopes, searchText });
  if (screens.length === 0) return null;
  const links = screens.map(({ path, label }) => html`<li><a href="${path}">${label}</a></li>\n`);
  return html`<h2>${texts.find.screens}</h2>\n<ul class="cards">\n${links}</ul>\n`;
}
