import { listSubmissions } from "../../../../access/submissions/submissions.ts";
import { listDrafts } from "../../../../content/drafts/listing-drafts.ts";
import { listItems } from "../../../../content/editing/desk.ts";
import { STATUSES } from "../../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { listWebhooks } from "../../../../webhooks/managing.ts";
import { draftProblemText } from "../../error-text.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { reviewRequestText } from "../editor/publishing/draft-review.ts";
import { screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { renderDraftCards } from "./drafts.ts";
import { firstStepsHtml } from "./first-steps.ts";
import { renderEditableItemCards } from "./item-cards.ts";
import { newItemForms } from "./new-item-forms.ts";
import { renderDueReviews } from "./review.ts";
import { renderSearchesWithoutResults } from "./searches-without-results.ts";
import { renderUsageCharts } from "./use-charts.ts";

const ENTRIES_SHOWN_MAX = 10;
const COUNTED_MAX = 100;

/** The start page: waiting tasks, the latest drafts, and recently changed items. */
export const deskScreen: Screen = {
  method: "GET",
  path: "/admin/desk",
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const { items: drafts } = await listDrafts(parts.stores.drafts, signedIn.actor, {
      limit: ENTRIES_SHOWN_MAX,
      untouched: false,
    });
    const { items } = await listItems(parts.stores, signedIn.actor, {
      types: [],
      statuses: STATUSES.filter((status) => status !== "deleted"),
      sort: "updated",
      descending: true,
      limit: ENTRIES_SHOWN_MAX,
    });
    const content = html`${await firstStepsHtml(visit)}<h2>${texts.desk.waiting}</h2>
${await waitingList(visit)}<h2>${texts.desk.drafts}</h2>
${drafts.length === 0 ? html`<p>${texts.desk.noDrafts}</p>\n` : await renderDraftCards(visit, drafts)}${await newItemForms(visit, "")}${await renderSearchesWithoutResults(visit)}<h2>${texts.desk.recent}</h2>
${await renderEditableItemCards(visit, items)}${await renderUsageCharts(visit)}`;
    return screenResponse({ ...visit, url: "/admin/desk" }, { title: texts.desk.title, content });
  },
};

async function waitingList(visit: ScreenVisit): Promise<SafeHtml> {
  const { texts, parts, signedIn } = visit;
  const lines: SafeHtml[] = [];
  if (signedIn.actor.scopes.includes("requests:manage")) {
    const options = { before: null, limit: COUNTED_MAX + 1 };
    const { keyRequests, messages } = parts.stores;
    const requests = await listSubmissions(keyRequests, signedIn.actor, {
      ...options,
      state: "pending",
    });
    const unread = await listSubmissions(messages, signedIn.actor, { ...options, state: "new" });
    if (requests.length > 0) {
      const label = texts.desk.requests(countText(requests.length));
      lines.push(html`<li><a href="/admin/requests">${label}</a></li>\n`);
    }
    if (unread.length > 0) {
      const label = texts.desk.messages(countText(unread.length));
      lines.push(html`<li><a href="/admin/messages">${label}</a></li>\n`);
    }
  }
  const { items } = await listDrafts(parts.stores.drafts, signedIn.actor, {
    waiting: true,
    limit: ENTRIES_SHOWN_MAX,
  });
  for (const { id, title, problem, publishAt } of items) {
    const state =
      problem === null
        ? texts.desk.scheduled(publishAt === null ? "" : dateAndTimeText(visit, publishAt))
        : texts.desk.failed(draftProblemText(problem, visit));
    const name = title ?? texts.content.untitled;
    lines.push(
      html`<li><a href="/admin/drafts/${id}">${name}</a> <span class="state">${state}</span></li>\n`,
    );
  }
  lines.push(
    ...(await draftsToReview(visit)),
    ...(await failingWebhooks(visit)),
    ...(await renderDueReviews(visit)),
  );
  if (lines.length === 0) return html`<p>${texts.desk.nothing}</p>\n`;
  return html`<ul class="cards">\n${lines}</ul>\n`;
}

/** The drafts whose editors asked for a review, for people who can publish them. */
async function draftsToReview(visit: ScreenVisit): Promise<SafeHtml[]> {
  const { texts, parts, signedIn } = visit;
  if (!signedIn.actor.scopes.includes("content:publish")) return [];
  const { items } = await listDrafts(parts.stores.drafts, signedIn.actor, {
    inReview: true,
    limit: COUNTED_MAX + 1,
  });
  const shown = items.slice(0, ENTRIES_SHOWN_MAX).map(async (draft) => {
    const name = draft.title ?? texts.content.untitled;
    return html`<li><a href="/admin/drafts/${draft.id}/publish">${name}</a> <span class="state">${await reviewRequestText(visit, draft)}</span></li>\n`;
  });
  const isLong = items.length > ENTRIES_SHOWN_MAX;
  const all = html`<li><a href="/admin/drafts?review">${texts.review.title(countText(items.length))}</a></li>\n`;
  return [...(await Promise.all(shown)), ...(isLong ? [all] : [])];
}

/** The webhooks whose deliveries fail, or that were turned off because their deliveries failed. */
async function failingWebhooks({ texts, parts, signedIn }: ScreenVisit): Promise<SafeHtml[]> {
  if (!signedIn.actor.scopes.includes("webhooks:manage")) return [];
  const { items } = await listWebhooks(parts.stores.webhooks, signedIn.actor, {
    limit: COUNTED_MAX,
  });
  const failing = items.filter(
    ({ failingSince, disabledWhy }) => failingSince !== null || disabledWhy !== null,
  );
  return failing.map(({ id, url, state }) => {
    const outcome = state === "enabled" ? texts.desk.webhookFails : texts.desk.webhookOff;
    return html`<li><a href="/admin/webhooks/${id}">${url}</a> <span class="state">${outcome}</span></li>\n`;
  });
}

function countText(count: number): string {
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count);
}
