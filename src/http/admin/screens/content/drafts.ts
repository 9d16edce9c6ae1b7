import type { DraftOutline } from "../../../../content/drafts/draft.ts";
import { listDrafts } from "../../../../content/drafts/listing-drafts.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { draftProblemText } from "../../fault-text.ts";
import { momentText } from "../../texts/choose.ts";
import { nextPageLink } from "../frame/cards.ts";
import { screenAnswer } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { screenTypes } from "../frame/screen-types.ts";
import { newItemForms } from "./new-item-forms.ts";
import { personNames } from "./person-names.ts";

const SCREEN_PATH = "/admin/drafts";
const DRAFTS_PER_PAGE = 50;

/** All drafts, latest change first. */
export const draftList: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const cursor = query.get("cursor");
    const { items, nextCursor } = await listDrafts(parts.stores.drafts, signedIn.actor, {
      limit: DRAFTS_PER_PAGE,
      untouched: false,
      ...(cursor === null ? {} : { cursor }),
    });
    const content = html`${items.length === 0 ? html`<p>${texts.drafts.none}</p>\n${await newItemForms(visit, "")}` : await draftCards(visit, items)}${nextPageLink(texts, nextCursor === null ? null : `${SCREEN_PATH}?cursor=${nextCursor}`)}`;
    return screenAnswer({ ...visit, url: SCREEN_PATH }, { title: texts.drafts.title, content });
  },
};

export async function draftCards(
  visit: ScreenVisit,
  drafts: readonly DraftOutline[],
): Promise<SafeHtml> {
  const { texts } = visit;
  const types = await screenTypes(visit);
  const cards = drafts.map(
    async ({ id, title, type, editors, updatedAt, publishAt, problem }) =>
      html`<li><a href="${SCREEN_PATH}/${id}">${title === null || title === "" ? texts.content.untitled : title}</a>
<div class="state">${types.get(type)?.label ?? type} · ${momentText(visit, updatedAt)} · ${texts.draft.by((await personNames(visit, editors)).join(", "))}${publishAt !== null && ` · ${texts.desk.scheduled(momentText(visit, publishAt))}`}${problem !== null && ` · ${texts.desk.failed(draftProblemText(problem, visit))}`}</div></li>\n`,
  );
  return html`<ul class="cards">\n${await Promise.all(cards)}</ul>\n`;
}
