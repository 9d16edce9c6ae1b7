import { z } from "zod";
import {
  addDraftNote,
  DRAFT_NOTE_CHARACTERS_MAX,
  listDraftNotes,
  removeDraftNote,
} from "../../../../content/drafts/notes.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../../route.ts";

const noteResponseSchema = z.object({
  id: z.string(),
  draftId: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
});

const list = defineRoute({
  method: "GET",
  path: "/drafts/{id}/notes",
  scope: "content:read",
  summary: "List the notes that editors left on a draft, oldest first",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({ items: z.array(noteResponseSchema) }),
  async answer({ stores, actor, pathParameter }) {
    return { body: { items: await listDraftNotes(stores, actor, pathParameter("id")) } };
  },
});

const add = defineRoute({
  method: "POST",
  path: "/drafts/{id}/notes",
  scope: "content:write",
  summary: "Leave a note on a draft for the other editors; it ends with the draft",
  query: NO_QUERY,
  body: z.strictObject({ text: z.string().trim().min(1).max(DRAFT_NOTE_CHARACTERS_MAX) }),
  response: noteResponseSchema,
  async answer({ stores, actor, pathParameter, body: { text }, now, requestId }) {
    const note = await addDraftNote(stores, actor, pathParameter("id"), { text, now, requestId });
    return { body: { ...note }, status: 201 };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/draft-notes/{id}",
  scope: "content:write",
  summary: "Remove a note from a draft",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  async answer({ stores, actor, pathParameter, now, requestId }) {
    await removeDraftNote(stores, actor, pathParameter("id"), { now, requestId });
    return { status: 204, body: null };
  },
});

export const draftNoteRoutes: readonly Route[] = [list, add, remove];
