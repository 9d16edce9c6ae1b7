import { z } from "zod";
import type { Draft, DraftOutline } from "../../../content/drafts/draft.ts";
import { patchFromParts } from "../../../content/drafts/parts.ts";
import type { SavedDraft } from "../../../content/drafts/saving.ts";
import type { ApiResponse } from "../route.ts";

const time = z.iso.datetime();

export const draftOutlineShape = {
  id: z.string(),
  type: z.string(),
  itemId: z.string().nullable(),
  baseRevision: z.int().nullable(),
  version: z.int(),
  editors: z.array(z.string()),
  publishAt: time.nullable(),
  problem: z.string().nullable(),
  review: z
    .object({ askedBy: z.string(), askedAt: time, note: z.string() })
    .nullable()
    .meta({ description: "Who asks for a review, and since when; null: nobody" }),
  createdAt: time,
  updatedAt: time,
};

export const comparedPartSchema = z.object({
  part: z.string(),
  base: z.unknown(),
  theirs: z.unknown(),
  mine: z.unknown(),
});

export const draftResponseSchema = z
  .object({
    ...draftOutlineShape,
    changes: z.record(z.string(), z.unknown()).meta({ description: "A merge patch of the item" }),
    conflicts: z
      .array(comparedPartSchema)
      .exactOptional()
      .meta({ description: "Parts that were changed differently in the item meanwhile" }),
  })
  .meta({ id: "Draft" });

export function draftListResponse({
  items,
  nextCursor,
}: {
  items: readonly DraftOutline[];
  nextCursor: string | null;
}): ApiResponse {
  const listedItems = items.map(({ problem, ...rest }) => ({
    ...rest,
    problem: problem?.en ?? null,
  }));
  return { body: { items: listedItems, nextCursor } };
}

export function toDraftResponse({
  draft,
  conflicts,
}: { draft: Draft } & Partial<SavedDraft>): ApiResponse {
  const { parts, problem, ...rest } = draft;
  const body = {
    ...rest,
    problem: problem?.en ?? null,
    changes: patchFromParts(parts),
    ...(conflicts?.length ? { conflicts } : {}),
  };
  return { body, state: draft.version };
}
