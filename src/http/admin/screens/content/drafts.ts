import { findDrafts } from "../../../../content/desk/finding.ts";
import type { DraftOutline } from "../../../../content/drafts/draft.ts";
import { listDrafts } from "../../../../content/drafts/listing-drafts.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { draftProblemText } from "../../error-text.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { reviewRequestText } from "../editor/publishing/draft-review.ts";
import { nextPageLink } from "../frame/cards.ts";
import { screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { newItemForms } from "./new-item-forms.ts";
import { findActorLabels } from "./person-names.ts";

const SCREEN_PATH = "/admin/drafts";
const DRAFTS_PER_PAGE = 50;
const IN_REVIEW_SHOWN_MAX = 10;
const COUNTED_MAX = 100;

/**
 * Lists the drafts that wait for a review, then all drafts, latest change first. The second list
 * omits drafts that were started but never changed. With `review` in the query, lists only the
 * drafts that wait for a review.
 */
export const draftListScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const cursor = query.get("cursor");
    const isReview = query.has("review");
    const { items, nextCursor } = await listDrafts(parts.stores.drafts, signedIn.actor, {
      limit: DRAFTS_PER_PAGE,
      ...(isReview ? { inReview: true } : { untouched: false }),
      ...(cursor === null ? {} : { cursor }),
    });
    const rest = `${SCREEN_PATH}?${isReview ? "review&" : ""}cursor=${nextCursor}`;
    const content = html`${cursor === null && !isReview && (await draftsInReview(visit))}${items.length === 0 ? html`<p>${texts.drafts.none}</p>\n${await newItemForms(visit, "")}` : await renderDraftCards(visit, items)}${nextPageLink(texts, nextCursor === null ? null : rest)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.drafts.title, content });
  },
};

/** The drafts that wait for a review, with their number; null if there are none. */
async function draftsInReview(visit: ScreenVisit): Promise<SafeHtml | null> {
  const { texts, parts, signedIn } = visit;
  const { items } = await listDrafts(parts.stores.drafts, signedIn.actor, {
    inReview: true,
    limit: COUNTED_MAX + 1,
  });
  if (items.length === 0) return null;
  const count = items.length > COUNTED_MAX ? `${COUNTED_MAX}+` : String(items.length);
  const isLong = items.length > IN_REVIEW_SHOWN_MAX;
  return html`<h2>${texts.review.title(count)}</h2>
${await renderDraftCards(visit, items.slice(0, IN_REVIEW_SHOWN_MAX))}${nextPageLink(texts, isLong ? `${SCREEN_PATH}?review` : null)}<h2>${texts.drafts.all}</h2>
`;
}

export async function renderDraftCards(
  visit: ScreenVisit,
  drafts: readonly DraftOutline[],
): Promise<SafeHtml> {
  const { texts } = visit;
  const types = await readTypesWithScreenLabels(visit);
  const cards = drafts.map(async (draft) => {
    const { id, title, type, editors, updatedAt, publishAt, problem } = draft;
    const review = await reviewRequestText(visit, draft);
    return html`<li><a href="${SCREEN_PATH}/${id}">${title === null || title === "" ? texts.content.untitled : title}</a>
<div class="state">${types.get(type)?.label ?? type} · ${dateAndTimeText(visit, updatedAt)} · ${texts.draft.by((await findActorLabels(visit, editors)).join(", "))}${publishAt !== null && ` · ${texts.desk.scheduled(dateAndTimeText(visit, publishAt))}`}${problem !== null && ` · ${texts.desk.failed(draftProblemText(problem, visit))}`}${review !== null && html` · <strong>${review}</strong>`}</div></li>\n`;
  });
  return html`<ul class="cards">\n${await Promise.all(cards)}</ul>\n`;
}

/** Drafts of items that do not exist yet, best matches first; none for an empty text. */
export async function findDraftsOfNewItems(
  { parts, signedIn }: ScreenVisit,
  { text, type }: { text: string; type: string | undefined },
): Promise<DraftOutline[]> {
  if (text === "") return [];
  const stores = { ...parts.stores, deskIndex: parts.deskIndex };
  const { items } = await findDrafts(stores, signedIn.actor, {
    text,
    ...(type === undefined ? {} : { type }),
    limit: DRAFTS_PER_PAGE,
  });
  return items.filter(({ itemId }) => itemId === null);
}
