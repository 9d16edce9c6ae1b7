import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { type AuditEntry, auditEntryForChange } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { auditTargetOfDraft, type DraftStore } from "./draft.ts";
import { requireExistingDraft } from "./draft-at-version.ts";

export const DRAFT_NOTE_CHARACTERS_MAX = 1000;
const NOTES_MAX = 100;

/** A remark on a draft for other editors. It is removed with the draft. */
export interface DraftNote {
  id: string;
  draftId: string;
  text: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  createdBy: string;
}

export interface DraftNoteStore {
  byId(id: string): Promise<DraftNote | null>;
  /** The notes on a draft, oldest first. */
  ofDraft(draftId: string): Promise<DraftNote[]>;
  /** Notes written after `time` (ISO 8601), newest first. */
  since(time: string, limit: number): Promise<DraftNote[]>;
  insert(note: DraftNote, entry: AuditEntry): Promise<void>;
  remove(id: string, entry: AuditEntry): Promise<void>;
}

/** The stores that notes use. When something is changed, all of them are bound to one transaction. */
export interface NoteStores {
  drafts: Pick<DraftStore, "byId">;
  draftNotes: DraftNoteStore;
}

/** The notes on a draft, oldest first. @throws {AppError} `not_found`. */
export async function listDraftNotes(
  stores: NoteStores,
  actor: Actor,
  draftId: string,
): Promise<DraftNote[]> {
  requireScope(actor, "content:read");
  await requireExistingDraft(stores.drafts, draftId);
  return await stores.draftNotes.ofDraft(draftId);
}

/** @throws {AppError} `not_found`; `invalid` for an empty text; `conflict` if the draft has 100 notes. */
export async function addDraftNote(
  stores: NoteStores,
  actor: Actor,
  draftId: string,
  { text, now, requestId }: ChangeContext & { text: string },
): Promise<DraftNote> {
  requireScope(actor, "content:write");
  const draft = await requireExistingDraft(stores.drafts, draftId);
  const message = {
    en: `must have 1 to ${DRAFT_NOTE_CHARACTERS_MAX} characters`,
    de: `braucht 1 bis ${DRAFT_NOTE_CHARACTERS_MAX} Zeichen`,
  };
  if (text.trim() === "" || text.length > DRAFT_NOTE_CHARACTERS_MAX) {
    throw new AppError(
      "invalid",
      { en: `The note ${message.en}`, de: `Die Notiz ${message.de}` },
      {
        problems: [{ where: "text", message }],
      },
    );
  }
  if ((await stores.draftNotes.ofDraft(draft.id)).length >= NOTES_MAX) {
    throw new AppError("conflict", {
      en: `The draft ${draft.id} has ${NOTES_MAX} notes already. Remove one first`,
      de: `Dieser Entwurf hat schon ${NOTES_MAX} Notizen: Entfernen Sie zuerst eine`,
    });
  }
  const note: DraftNote = {
    id: newId(now),
    draftId: draft.id,
    text: text.trim(),
    createdAt: now.toISOString(),
    createdBy: actorName(actor),
  };
  const entry = auditEntryForChange("draft.note", auditTargetOfDraft(draft), {
    actor,
    now,
    requestId,
  });
  await stores.draftNotes.insert(note, entry);
  return note;
}

/** @throws {AppError} `not_found`. */
export async function removeDraftNote(
  stores: NoteStores,
  actor: Actor,
  id: string,
  { now, requestId }: ChangeContext,
): Promise<DraftNote> {
  requireScope(actor, "content:write");
  const note = await stores.draftNotes.byId(id);
  if (note === null)
    throw new AppError("not_found", {
      en: `There is no note ${id}: it was removed`,
      de: "Diese Notiz gibt es nicht mehr: Jemand hat sie entfernt",
    });
  const draft = await stores.drafts.byId(note.draftId);
  const target = draft === null ? note.draftId : auditTargetOfDraft(draft);
  const entry = auditEntryForChange("draft.unnote", target, { actor, now, requestId });
  await stores.draftNotes.remove(id, entry);
  return note;
}
