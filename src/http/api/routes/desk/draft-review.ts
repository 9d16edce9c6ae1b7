import { z } from "zod";
import { DRAFT_NOTE_CHARACTERS_MAX } from "../../../../content/drafts/notes.ts";
import {
  requestReview,
  sendDraftBack,
  withdrawReviewRequest,
} from "../../../../content/drafts/review.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../../route.ts";
import { draftResponseSchema, toDraftResponse } from "../draft-shapes.ts";

const ask = defineRoute({
  method: "POST",
  path: "/drafts/{id}/review",
  scope: "content:write",
  summary: "Ask the editors to review a draft; asking again changes nothing",
  query: NO_QUERY,
  body: z.strictObject({ note: z.string().trim().max(DRAFT_NOTE_CHARACTERS_MAX).default("") }),
  response: draftResponseSchema,
  async answer({ stores, actor, pathParameter, body: { note }, now, requestId }) {
    const options = { note, now, requestId };
    return toDraftResponse({
      draft: await requestReview(stores, actor, pathParameter("id"), options),
    });
  },
});

const withdraw = defineRoute({
  method: "DELETE",
  path: "/drafts/{id}/review",
  scope: "content:write",
  summary: "Withdraw the request to review a draft: one's own, or with content:publish anybody's",
  query: NO_QUERY,
  body: NO_BODY,
  response: draftResponseSchema,
  async answer({ stores, actor, pathParameter, now, requestId }) {
    const options = { now, requestId };
    return toDraftResponse({
      draft: await withdrawReviewRequest(stores, actor, pathParameter("id"), options),
    });
  },
});

const back = defineRoute({
  method: "POST",
  path: "/drafts/{id}/send-back",
  scope: "content:publish",
  summary:
    "Send a draft back to those who asked for its review, with a note that says what to change",
  query: NO_QUERY,
  body: z.strictObject({ note: z.string().trim().min(1).max(DRAFT_NOTE_CHARACTERS_MAX) }),
  response: draftResponseSchema,
  async answer({ stores, actor, pathParameter, body: { note }, now, requestId }) {
    const options = { note, now, requestId };
    return toDraftResponse({
      draft: await sendDraftBack(stores, actor, pathParameter("id"), options),
    });
  },
});

export const draftReviewRoutes: readonly Route[] = [ask, withdraw, back];
