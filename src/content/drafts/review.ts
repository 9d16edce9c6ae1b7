import { type Actor, actorName, hasScope, requireScope } from "../../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../../access/audit.ts";
import { AppError, fieldError } from "../../errors.ts";
import { auditTargetOfDraft, type Draft, type DraftStore } from "./draft.ts";
import { requireExistingDraft } from "./draft-at-version.ts";
import { addDraftNote, DRAFT_NOTE_CHARACTERS_MAX, type NoteStores } from "./notes.ts";

interface ReviewStores {
  drafts: Pick<DraftStore, "byId" | "put">;
}

/**
 * Asks the editors to review a draft. The request ends when it is withdrawn, or when the draft is sent back,
 * scheduled, published or discarded. If the draft already has a request, nothing changes.
 *
 * @param note may be empty.
 * @throws {AppError} `not_found`; `conflict` if the draft is scheduled; `invalid` for a long note.
 */
export async function requestReview(
  { drafts }: ReviewStores,
  actor: Actor,
  id: string,
  { note, now, requestId }: ChangeContext & { note: string },
): Promise<Draft> {
  requireScope(actor, "content:write");
  const draft = await requireExistingDraft(drafts, id);
  if (note.length > DRAFT_NOTE_CHARACTERS_MAX) {
    throw fieldError("note", {
      en: `must have at most ${DRAFT_NOTE_CHARACTERS_MAX} characters`,
      de: `darf höchstens ${DRAFT_NOTE_CHARACTERS_MAX} Zeichen haben`,
    });
  }
  if (draft.review !== null) return draft;
  if (draft.publishAt !== null) {
    throw new AppError("conflict", {
      en: `The draft ${id} is scheduled for ${draft.publishAt}, so it waits for no review`,
      de: "Für diesen Entwurf ist die Veröffentlichung schon geplant: Er wartet auf keine Durchsicht",
    });
  }
  const review = { askedBy: actorName(actor), askedAt: now.toISOString(), note: note.trim() };
  const entry = auditEntryForChange("draft.ask-review", auditTargetOfDraft(draft), {
    actor,
    now,
    requestId,
  });
  return await putReview(drafts, { ...draft, review }, entry);
}

/**
 * Withdraws the request to review a draft. If there is no request, nothing changes. Only the sender of the
 * request, or an actor with `content:publish`, can withdraw the request.
 *
 * @throws {AppError} `not_found`, `forbidden`.
 */
export async function withdrawReviewRequest(
  { drafts }: ReviewStores,
  actor: Actor,
  id: string,
  { now, requestId }: ChangeContext,
): Promise<Draft> {
  requireScope(actor, "content:write");
  const draft = await requireExistingDraft(drafts, id);
  if (draft.review === null) return draft;
  if (draft.review.askedBy !== actorName(actor) && !hasScope(actor, "content:publish")) {
    throw new AppError("forbidden", {
      en: "Only who asked for this review, or an editor, can withdraw the request",
      de: "Diese Bitte um Durchsicht kann nur zurücknehmen, wer sie gestellt hat, oder die Redaktion",
    });
  }
  const entry = auditEntryForChange("draft.withdraw-review", auditTargetOfDraft(draft), {
    actor,
    now,
    requestId,
  });
  return await putReview(drafts, { ...draft, review: null }, entry);
}

/**
 * Ends the request to review a draft, and adds a note that says what to change. The draft's content is
 * unchanged.
 *
 * @throws {AppError} `not_found`; `conflict` without a request for review; `invalid` for an empty note.
 */
export async function sendDraftBack(
  stores: ReviewStores & NoteStores,
  actor: Actor,
  id: string,
  { note, now, requestId }: ChangeContext & { note: string },
): Promise<Draft> {
  requireScope(actor, "content:publish");
  const draft = await requireExistingDraft(stores.drafts, id);
  if (draft.review === null) {
    throw new AppError("conflict", {
      en: `The draft ${id} does not wait for a review: the request was withdrawn or answered`,
      de: "Dieser Entwurf wartet nicht mehr auf Durchsicht: Die Bitte wurde zurückgenommen oder beantwortet",
    });
  }
  await addDraftNote(stores, actor, id, { text: note, now, requestId });
  const entry = auditEntryForChange("draft.send-back", auditTargetOfDraft(draft), {
    actor,
    now,
    requestId,
  });
  return await putReview(stores.drafts, { ...draft, review: null }, entry);
}

async function putReview(
  drafts: Pick<DraftStore, "put">,
  draft: Draft,
  entry: ReturnType<typeof auditEntryForChange>,
): Promise<Draft> {
  const changed = { ...draft, version: draft.version + 1, updatedAt: entry.at };
  await drafts.put(changed, entry);
  return changed;
}
