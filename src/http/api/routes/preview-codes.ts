import { z } from "zod";
import {
  listPreviewCodes,
  PREVIEW_CODE_DAYS_DEFAULT,
  PREVIEW_CODE_DAYS_MAX,
  revokePreviewCode,
  sharePreview,
} from "../../../content/drafts/preview-codes.ts";
import { PREVIEW_PATH } from "../../../content/pages/built-in/preview-page.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";

const time = z.iso.datetime();

const previewCodeResponseSchema = z.object({
  id: z.string(),
  draftId: z.string(),
  note: z.string(),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time,
  usedAt: time.nullable().meta({ description: "When the draft was last seen with it" }),
});

const list = defineRoute({
  method: "GET",
  path: "/drafts/{id}/preview-codes",
  scope: "content:read",
  summary:
    "List the codes with which people without an account see a draft, never the codes themselves",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({ items: z.array(previewCodeResponseSchema) }),
  async answer({ stores, actor, pathParameter }) {
    return { body: { items: await listPreviewCodes(stores, actor, pathParameter("id")) } };
  },
});

const share = defineRoute({
  method: "POST",
  path: "/drafts/{id}/preview-codes",
  scope: "content:write",
  summary: `Issue a code with which somebody without an account sees the draft at ${PREVIEW_PATH} until its end`,
  query: NO_QUERY,
  body: z.strictObject({
    days: z.int().min(1).max(PREVIEW_CODE_DAYS_MAX).default(PREVIEW_CODE_DAYS_DEFAULT),
    note: z.string().trim().max(200).default("").meta({ description: "For whom it is" }),
  }),
  response: z.object({
    ...previewCodeResponseSchema.shape,
    code: z.string().meta({ description: "Shown only here" }),
    enterAt: z.url(),
  }),
  async answer({ stores, actor, pathParameter, body, now, requestId, parts }) {
    const options = { ...body, now, requestId };
    const { issued, code } = await sharePreview(stores, actor, pathParameter("id"), options);
    const enterAt = `${parts.origin}${PREVIEW_PATH}`;
    return { body: { ...issued, code, enterAt }, status: 201 };
  },
});

const revoke = defineRoute({
  method: "DELETE",
  path: "/preview-codes/{id}",
  scope: "content:write",
  summary: "End a code at once",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  async answer({ stores, actor, pathParameter, now, requestId }) {
    await revokePreviewCode(stores, actor, pathParameter("id"), { now, requestId });
    return { status: 204, body: null };
  },
});

export const previewCodeRoutes: readonly Route[] = [list, share, revoke];
