import { z } from "zod";
import { findDrafts } from "../../../content/desk/finding.ts";
import { draftChangesSchema } from "../../../content/drafts/draft.ts";
import { requireExistingDraft } from "../../../content/drafts/draft-at-version.ts";
import { listDrafts, readDraft } from "../../../content/drafts/listing-drafts.ts";
import {
  applyDraft,
  compareDraft,
  findReferencesAffectedByDraft,
  scheduleDraft,
} from "../../../content/drafts/publishing-drafts.ts";
import { discardDraft, saveDraft, startDraft } from "../../../content/drafts/saving.ts";
import type { References } from "../../../content/editing/references.ts";
import {
  parseTimeInZone,
  readSiteTimeZone,
  timeInputSchema,
} from "../../../content/site/time-zone.ts";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { pageQueryShape } from "../page-query.ts";
import { type ApiCall, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import {
  changedItemResponse,
  REFERENCES_SHOWN_MAX,
  referencesQuerySchema,
  storesWithDeskIndex,
} from "./content.ts";
import { itemResponseSchema } from "./content-shapes.ts";
import {
  comparedPartSchema,
  draftListResponse,
  draftOutlineShape,
  draftResponseSchema,
  toDraftResponse,
} from "./draft-shapes.ts";

const list = defineRoute({
  method: "GET",
  path: "/drafts",
  scope: "content:read",
  summary: "List drafts, latest change first, without their content",
  query: z.strictObject({
    type: z.string().max(1000).exactOptional(),
    text: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .exactOptional()
      .meta({ description: "Words of the drafts or their items: best matches first" }),
    itemId: z.string().max(1000).exactOptional(),
    editor: z.string().max(1000).exactOptional(),
    waiting: z
      .enum(["true", "false"])
      .transform((value) => value === "true")
      .exactOptional(),
    inReview: z
      .enum(["true", "false"])
      .transform((value) => value === "true")
      .exactOptional()
      .meta({ description: "With true, only drafts that somebody asks to review" }),
    ...pageQueryShape,
  }),
  body: NO_BODY,
  response: z.object({
    items: z.array(z.object({ ...draftOutlineShape, title: z.string().nullable() })),
    nextCursor: z.string().nullable(),
  }),
  async answer({ stores, actor, query, parts }) {
    const { text, ...filter } = query;
    if (text === undefined)
      return draftListResponse(await listDrafts(stores.drafts, actor, filter));
    const { itemId, editor, waiting, inReview, ...search } = filter;
    const wrongFilter = Object.entries({ itemId, editor, waiting, inReview }).find(
      ([, given]) => given !== undefined,
    );
    if (wrongFilter !== undefined) {
      throw new AppError(
        "invalid",
        englishOnlyWording(`${wrongFilter[0]}: goes with no text; leave one of them out`),
      );
    }
    return draftListResponse(
      await findDrafts(storesWithDeskIndex({ stores, parts }), actor, { ...search, text }),
    );
  },
});

const start = defineRoute({
  method: "POST",
  path: "/drafts",
  scope: "content:write",
  summary: "Start the draft of an item, or of a new one, of which only the type is required",
  query: NO_QUERY,
  body: z.union(
    [
      z.strictObject({ type: z.string().max(1000), changes: draftChangesSchema.default({}) }),
      z.strictObject({
        itemId: z.string().max(1000),
        revision: z.int().min(1).exactOptional(),
        changes: draftChangesSchema.default({}),
      }),
    ],
    {
      error:
        "give the itemId of an item, or the type of a new one, and changes in the form of an item",
    },
  ),
  response: draftResponseSchema,
  async answer({ stores, actor, body: { changes, ...about }, now, requestId }) {
    const saved = await startDraft(stores, actor, about, { changes, now, requestId });
    const { id } = saved.draft;
    return {
      ...toDraftResponse(saved),
      status: 201,
      headers: { Location: `/api/v1/drafts/${id}` },
    };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/drafts/{id}",
  scope: "content:read",
  summary: "Get a draft",
  query: NO_QUERY,
  body: NO_BODY,
  response: draftResponseSchema,
  async answer({ stores, actor, pathParameter }) {
    return toDraftResponse({ draft: await readDraft(stores.drafts, actor, pathParameter("id")) });
  },
});

const save = defineRoute({
  method: "PATCH",
  path: "/drafts/{id}",
  scope: "content:write",
  summary: "Save changes to a draft; changes that others saved since are kept and merged",
  query: NO_QUERY,
  body: z.union(
    [
      z.strictObject({ version: z.int().min(1), changes: draftChangesSchema }),
      z.strictObject({ revision: z.int().min(1), changes: draftChangesSchema }),
    ],
    {
      error:
        "give the version of the draft that the changes were made from, or the revision of the item, and changes in the form of an item",
    },
  ),
  response: draftResponseSchema,
  async answer({ stores, actor, pathParameter, body: { changes, ...from }, now, requestId }) {
    return toDraftResponse(
      await saveDraft(stores, actor, pathParameter("id"), { from, changes, now, requestId }),
    );
  },
});

const discard = defineRoute({
  method: "DELETE",
  path: "/drafts/{id}",
  scope: "content:write",
  summary: "Discard a draft; the item stays as it is",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.undefined(),
  stateToMatch: versionNow,
  async answer({ stores, actor, pathParameter, now, requestId }) {
    await discardDraft(stores, actor, pathParameter("id"), { now, requestId });
    return { status: 204, body: null };
  },
});

const compare = defineRoute({
  method: "GET",
  path: "/drafts/{id}/comparison",
  scope: "content:read",
  summary: "Compare a draft with its item, part by part",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({
    version: z.int(),
    parts: z.array(comparedPartSchema.extend({ isConflict: z.boolean() })),
  }),
  async answer({ stores, actor, pathParameter }) {
    const { draft, parts } = await compareDraft(stores, actor, pathParameter("id"));
    return { body: { version: draft.version, parts }, state: draft.version };
  },
});

const schedule = defineRoute({
  method: "POST",
  path: "/drafts/{id}/schedule",
  scope: "content:publish",
  summary: "Schedule a draft for publication; null cancels",
  query: referencesQuerySchema,
  body: z.strictObject({ publishAt: timeInputSchema.nullable() }),
  response: draftResponseSchema,
  stateToMatch: versionNow,
  preload: unconfirmedReferences,
  async answer({ stores, actor, pathParameter, body, now, requestId, preloaded = null }) {
    const timeZone = await readSiteTimeZone(stores.content);
    const publishAt =
      body.publishAt === null ? null : parseTimeInZone(timeZone, body.publishAt, "publishAt");
    const options = { publishAt, now, requestId, references: preloaded };
    const draft = await scheduleDraft(stores, actor, pathParameter("id"), options);
    return toDraftResponse({ draft });
  },
});

export const draftRoutes: readonly Route[] = [
  list,
  start,
  read,
  save,
  discard,
  compare,
  schedule,
  applyRoute(
    "publish",
    "published",
    "Publish a draft, merged with changes made to the item meanwhile",
  ),
  applyRoute("apply", "kept", "Write a draft into its item without changing its status"),
];

function applyRoute(name: string, status: "published" | "kept", summary: string): Route {
  return defineRoute({
    method: "POST",
    path: `/drafts/{id}/${name}`,
    scope: status === "published" ? "content:publish" : "content:write",
    summary,
    query: referencesQuerySchema,
    body: NO_BODY,
    response: itemResponseSchema,
    stateToMatch: versionNow,
    preload: unconfirmedReferences,
    async answer(call) {
      const { stores, actor, pathParameter, now, requestId, preloaded = null } = call;
      const options = { status, now, requestId, references: preloaded };
      const item = await applyDraft(stores, actor, pathParameter("id"), options);
      return await changedItemResponse(call, item.id);
    },
  });
}

/**
 * References that the client must confirm, because the draft changes the address of the referenced item.
 * Null: the client has sent `references=keep`, or the item keeps its address.
 */
async function unconfirmedReferences({
  stores,
  parts,
  pathParameter,
  query,
}: ApiCall<{ references?: "keep" }>): Promise<References | null> {
  if (query.references === "keep") return null;
  return await findReferencesAffectedByDraft(
    { ...stores, ...parts },
    pathParameter("id"),
    REFERENCES_SHOWN_MAX,
  );
}

/** The current version of the draft, which is its ETag. */
async function versionNow({ stores, pathParameter }: ApiCall): Promise<number> {
  return (await requireExistingDraft(stores.drafts, pathParameter("id"))).version;
}
