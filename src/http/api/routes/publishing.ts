import { z } from "zod";
import { requireExistingItem } from "../../../content/editing/item-to-change.ts";
import { publishItem, scheduleItem } from "../../../content/editing/publishing.ts";
import { findReferencesToUnchecked, type References } from "../../../content/editing/references.ts";
import { type WithdrawalKind, withdrawItem } from "../../../content/editing/withdrawing.ts";
import {
  parseTimeInZone,
  readSiteTimeZone,
  timeInputSchema,
} from "../../../content/site/time-zone.ts";
import { findDocument } from "../../../discovery/documents.ts";
import {
  type ApiCall,
  type ApiResponse,
  defineRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";
import {
  changedItemResponse,
  REFERENCES_SHOWN_MAX,
  readCurrentRevisionNumber,
  referencesQuerySchema,
} from "./content.ts";
import { itemResponseSchema } from "./content-shapes.ts";

const deleteQuery = referencesQuerySchema.extend({
  leadTo: z
    .string()
    .min(1)
    .max(1000)
    .exactOptional()
    .meta({ description: "Path, id or source key of where its address leads from then on" }),
});

const schedule = defineRoute({
  method: "POST",
  path: "/content/{id}/schedule",
  scope: "content:publish",
  summary: "Schedule an item for publication, or change its scheduled time",
  query: NO_QUERY,
  body: z.strictObject({ publishAt: timeInputSchema }),
  response: itemResponseSchema,
  stateToMatch: readCurrentRevisionNumber,
  async answer(call) {
    const { stores, actor, pathParameter, body, now, requestId } = call;
    const timeZone = await readSiteTimeZone(stores.content);
    const publishAt = parseTimeInZone(timeZone, body.publishAt, "publishAt");
    await scheduleItem(stores.content, actor, pathParameter("id"), { now, requestId, publishAt });
    return await changedItemResponse(call, pathParameter("id"));
  },
});

const publish = defineRoute({
  method: "POST",
  path: "/content/{id}/publish",
  scope: "content:publish",
  summary: "Publish an item",
  query: NO_QUERY,
  body: NO_BODY,
  response: itemResponseSchema,
  stateToMatch: readCurrentRevisionNumber,
  async answer(call) {
    const { stores, actor, pathParameter, now, requestId } = call;
    await publishItem(stores.content, actor, pathParameter("id"), { now, requestId });
    return await changedItemResponse(call, pathParameter("id"));
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/content/{id}",
  scope: "content:write",
  summary: "Delete an item; for 30 days, restoring a revision brings it back as a draft",
  query: deleteQuery,
  body: NO_BODY,
  response: itemResponseSchema,
  stateToMatch: readCurrentRevisionNumber,
  preload: unconfirmedReferences,
  answer: async (call) => await withdrawResponse(call, "delete"),
});

export const publishingRoutes: readonly Route[] = [
  publish,
  withdrawalRoute("unpublish", "draft", "Return an item to draft, as if it had never been public"),
  schedule,
  withdrawalRoute("archive", "gone", "Withdraw an item; its address then answers 410"),
  remove,
];

function withdrawalRoute(name: string, how: WithdrawalKind, summary: string): Route {
  return defineRoute({
    method: "POST",
    path: `/content/{id}/${name}`,
    scope: "content:publish",
    summary,
    query: referencesQuerySchema,
    body: NO_BODY,
    response: itemResponseSchema,
    stateToMatch: readCurrentRevisionNumber,
    preload: unconfirmedReferences,
    answer: async (call) => await withdrawResponse(call, how),
  });
}

/**
 * The references to the item. The client must confirm them before the item is withdrawn. Null: the client
 * has sent `references=keep`, or the item is deleted already.
 */
async function unconfirmedReferences({
  stores,
  parts,
  pathParameter,
  query,
}: ApiCall<{ references?: "keep" }>): Promise<References | null> {
  if (query.references === "keep") return null;
  const { status } = await requireExistingItem(stores.content, pathParameter("id"));
  if (status === "deleted") return null;
  return await findReferencesToUnchecked(
    { ...stores, ...parts },
    pathParameter("id"),
    REFERENCES_SHOWN_MAX,
  );
}

async function withdrawResponse(
  call: ApiCall<{ references?: "keep"; leadTo?: string }> & {
    preloaded: References | null | undefined;
  },
  how: WithdrawalKind,
): Promise<ApiResponse> {
  const { stores, actor, pathParameter, now, requestId, query, parts, preloaded = null } = call;
  const { leadTo } = query;
  const site = { origin: parts.origin, isDocument: (path: string) => findDocument(path) !== null };
  await withdrawItem(stores.content, actor, pathParameter("id"), {
    ...{ how, now, requestId, references: preloaded },
    ...(leadTo === undefined ? {} : { leadTo: { to: leadTo, desk: stores.desk, ...site } }),
  });
  return await changedItemResponse(call, pathParameter("id"));
}
