import { z } from "zod";
import { type Actor, requireScope } from "../../access/actor.ts";
import { decodeCursor, toCursorPage } from "../lists/cursor.ts";
import type { Draft, DraftFilter, DraftOutline, DraftStore } from "./draft.ts";
import { requireExistingDraft } from "./draft-at-version.ts";

const cursorSchema = z.strictObject({ updatedAt: z.string(), id: z.string() });

/** Lists drafts, latest change first, without their parts. @throws {AppError} `invalid` cursor. */
export async function listDrafts(
  drafts: DraftStore,
  actor: Actor,
  { limit, cursor, ...filter }: Omit<DraftFilter, "after"> & { cursor?: string },
): Promise<{ items: DraftOutline[]; nextCursor: string | null }> {
  requireScope(actor, "content:read");
  const after = cursor === undefined ? {} : { after: decodeCursor(cursor, filter, cursorSchema) };
  const found = await drafts.list({ ...filter, ...after, limit: limit + 1 });
  const positionOf = ({ updatedAt, id }: DraftOutline) => ({ updatedAt, id });
  return toCursorPage(found, { limit, query: filter, positionOf });
}

/** @throws {AppError} `not_found`. */
export async function readDraft(drafts: DraftStore, actor: Actor, id: string): Promise<Draft> {
  requireScope(actor, "content:read");
  return await requireExistingDraft(drafts, id);
}
