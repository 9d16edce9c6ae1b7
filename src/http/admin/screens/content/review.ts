import { listItems } from "../../../../content/editing/desk.ts";
import { changeItem } from "../../../../content/editing/editing.ts";
import { type ItemOutline, STATUSES } from "../../../../content/items/item.ts";
import { dayInZone } from "../../../../content/site/time-zone.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText, formatDay } from "../../texts/choose.ts";
import { actionForm } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { parseWholeNumber } from "../frame/whole-number.ts";

const ITEMS_SHOWN_MAX = 10;

/** Records that an item was reviewed, and the day of the next review, if any. */
const completeReview: Screen = {
  method: "POST",
  path: "/admin/content/{id}/reviewed",
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const next = form.value("reviewAt");
    const patch = { reviewAt: next === "" ? null : next };
    const revision = parseWholeNumber(form.value("revision"));
    await parts.atomically(({ content }) =>
      changeItem(content, signedIn.actor, id, { patch, now, requestId, revision }),
    );
    return redirectResponse(`/admin/content/${id}`);
  },
};

export const reviewScreens: readonly Screen[] = [completeReview];

/** Expiry and next review of an item, as entries of a description list. */
export function expiryAndReviewHtml(
  visit: ScreenVisit,
  { expireAt, reviewAt }: ItemOutline,
): SafeHtml {
  const { texts, timeZone } = visit;
  const t = texts.dates;
  return html`${expireAt !== null && html`<dt>${t.expireAt}</dt><dd>${dateAndTimeText(visit, expireAt)}</dd>\n`}${reviewAt !== null && html`<dt>${t.reviewAt}</dt><dd>${formatDay(texts, dayInZone(timeZone, reviewAt))}${isDue(visit, reviewAt) && ` · ${t.due}`}</dd>\n`}`;
}

/** The form that completes a due review. */
export function reviewCompletionForm(
  visit: ScreenVisit,
  { id, revision, reviewAt }: ItemOutline,
): SafeHtml {
  if (reviewAt === null || !isDue(visit, reviewAt)) return html``;
  const t = visit.texts.dates;
  return actionForm(visit, `/admin/content/${id}/reviewed`, {
    button: t.reviewed,
    hidden: { revision },
    content: html`<label>${t.nextReview} <input type="date" name="reviewAt"></label>`,
  });
}

/** Items due for review, as entries in the list of waiting tasks. */
export async function renderDueReviews(visit: ScreenVisit): Promise<SafeHtml[]> {
  const { parts, signedIn, now, texts } = visit;
  const { items } = await listItems(parts.stores, signedIn.actor, {
    types: [],
    statuses: STATUSES.filter((status) => status !== "deleted"),
    reviewBefore: now.toISOString(),
    sort: "updated",
    descending: false,
    limit: ITEMS_SHOWN_MAX,
  });
  return items.map(
    ({ id, title }) =>
      html`<li><a href="/admin/content/${id}">${title === "" ? texts.content.untitled : title}</a> <span class="state">${texts.dates.due}</span></li>\n`,
  );
}

function isDue({ now }: ScreenVisit, reviewAt: string): boolean {
  return reviewAt < now.toISOString();
}
