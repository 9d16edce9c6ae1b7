import { z } from "zod";
import { type Actor, requireScope } from "../../access/actor.ts";
import { decodeCursor, encodeCursor } from "../lists/cursor.ts";
import type { Draft, DraftFilter, DraftOutline, DraftStore } from "./draft.ts";
import { existingDraft } from "./saving.ts";

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
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  const position = last === undefined ? null : { updatedAt: last.updatedAt, id: last.id };
  return { items, nextCursor: position === null ? null : encodeCursor(filter, position) };
}

/** @throws {AppError} `not_found`. */
export async function readDraft(drafts: DraftStore, actor: Actor, id: string): Promise<Draft> {
  requireScope(actor, "content:read");
  return await existingDraft(drafts, id);
}
