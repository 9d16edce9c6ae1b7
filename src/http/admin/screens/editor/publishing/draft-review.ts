import { actorName } from "../../../../../access/actor.ts";
import type { Draft } from "../../../../../content/drafts/draft.ts";
import { DRAFT_NOTE_CHARACTERS_MAX } from "../../../../../content/drafts/notes.ts";
import {
  requestReview,
  sendDraftBack,
  withdrawReviewRequest,
} from "../../../../../content/drafts/review.ts";
import { html, type SafeHtml } from "../../../../../render/html.ts";
import { redirectResponse } from "../../../page.ts";
import { dateAndTimeText } from "../../../texts/choose.ts";
import { findActorLabels } from "../../content/person-names.ts";
import { actionForm } from "../../frame/frame.ts";
import type { Screen, ScreenVisit } from "../../frame/screen.ts";

const SCREEN_PATH = "/admin/drafts";

const ask: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/review`,
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const note = form.value("note");
    const { id } = await parts.atomically((stores) =>
      requestReview(stores, signedIn.actor, pathParameter("id"), { note, now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

const withdraw: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/review/withdraw`,
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    const { id } = await parts.atomically((stores) =>
      withdrawReviewRequest(stores, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

const back: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/send-back`,
  scope: "content:publish",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const note = form.value("note");
    const { id } = await parts.atomically((stores) =>
      sendDraftBack(stores, signedIn.actor, pathParameter("id"), { note, now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

export const draftReviewScreens: readonly Screen[] = [ask, withdraw, back];

/** Says who asked for a review of a draft, and when. Null: no review was requested. */
export async function reviewRequestText(
  visit: ScreenVisit,
  { review }: Pick<Draft, "review">,
): Promise<string | null> {
  if (review === null) return null;
  const names = await findActorLabels(visit, [review.askedBy]);
  return visit.texts.review.asked(names.join(), dateAndTimeText(visit, review.askedAt));
}

/**
 * Renders the review request of a draft. The requester can withdraw the request; others who can
 * publish can return the draft with a note.
 */
export async function reviewRequestHtml(
  visit: ScreenVisit,
  draft: Draft,
): Promise<SafeHtml | null> {
  const { texts, signedIn } = visit;
  const t = texts.review;
  const { id, review } = draft;
  if (review === null) return null;
  const { actor } = signedIn;
  const isAsker = review.askedBy === actorName(actor);
  const returnForm =
    actor.scopes.includes("content:publish") &&
    !isAsker &&
    actionForm(visit, `${SCREEN_PATH}/${id}/send-back`, {
      button: t.sendBack,
      isQuiet: true,
      content: noteField(t.sendBackNote, { isRequired: true }),
    });
  const withdrawForm =
    isAsker &&
    actionForm(visit, `${SCREEN_PATH}/${id}/review/withdraw`, {
      button: t.withdraw,
      isQuiet: true,
    });
  const note = review.note === "" ? null : html`<p class="text">${review.note}</p>\n`;
  return html`<div class="notes"><p>${await reviewRequestText(visit, draft)}</p>\n${note}${returnForm}${withdrawForm}</div>\n`;
}

/** The form that asks for a review. */
export function reviewRequestForm(visit: ScreenVisit, { id }: Pick<Draft, "id">): SafeHtml {
  const { texts, signedIn } = visit;
  const t = texts.review;
  const mayPublish = signedIn.actor.scopes.includes("content:publish");
  const form = actionForm(visit, `${SCREEN_PATH}/${id}/review`, {
    button: t.ask,
    isQuiet: mayPublish,
    content: noteField(t.note, { isRequired: false }),
  });
  if (!mayPublish) return html`<p>${t.hint}</p>\n${form}`;
  return html`<details><summary>${t.askOther}</summary>\n${form}</details>\n`;
}

function noteField(label: string, { isRequired }: { isRequired: boolean }): SafeHtml {
  return html`<p class="field"><label for="review-note">${label}</label><textarea id="review-note" name="note" rows="2" maxlength="${DRAFT_NOTE_CHARACTERS_MAX}"${isRequired && html` required`}></textarea></p>\n`;
}
