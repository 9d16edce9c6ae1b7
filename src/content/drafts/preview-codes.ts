import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { type AuditEntry, auditEntryForChange } from "../../access/audit.ts";
import { DAY_MILLISECONDS } from "../../access/days.ts";
import { hasExpired } from "../../access/expiry.ts";
import { hashSecret, mintClaimCode } from "../../access/keys/key-format.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { auditTargetOfDraft, type Draft, type DraftStore } from "./draft.ts";
import { requireExistingDraft } from "./draft-at-version.ts";

export const PREVIEW_CODE_DAYS_DEFAULT = 7;
export const PREVIEW_CODE_DAYS_MAX = 30;
const CODES_MAX = 20;

/**
 * A code that shows one draft to people without an account, any number of times until it expires.
 * Only its hash is stored. Times are ISO 8601 in UTC.
 */
export interface PreviewCode {
  id: string;
  draftId: string;
  /** The editor's note on who the code is for. */
  note: string;
  createdAt: string;
  createdBy: string;
  expiresAt: string;
  /** When the code was last used; null: never. */
  usedAt: string | null;
}

export interface PreviewCodeStore {
  byId(id: string): Promise<PreviewCode | null>;
  byHash(hash: string): Promise<PreviewCode | null>;
  /** The codes for a draft, oldest first. */
  ofDraft(draftId: string): Promise<PreviewCode[]>;
  insert(code: PreviewCode, hash: string, entry: AuditEntry): Promise<void>;
  noteUse(id: string, usedAt: string, entry: AuditEntry | null): Promise<void>;
  remove(id: string, entry: AuditEntry): Promise<void>;
  removeExpired(now: Date): Promise<void>;
}

/** The stores for sharing previews. For a change, all these stores are bound to one transaction. */
export interface PreviewSharingStores {
  drafts: DraftStore;
  previewCodes: PreviewCodeStore;
}

/** The stores that are read to find the draft that a preview code shows. */
export interface PreviewCodeLookupStores {
  drafts: Pick<DraftStore, "byId">;
  previewCodes: Pick<PreviewCodeStore, "byHash">;
}

/**
 * Issues a code for the preview of a draft. The code cannot be read again later.
 *
 * @param days 1 to 30.
 * @throws {AppError} `not_found`; `conflict` if the draft has 20 codes.
 */
export async function sharePreview(
  stores: PreviewSharingStores,
  actor: Actor,
  draftId: string,
  { days, note, now, requestId }: ChangeContext & { days: number; note: string },
): Promise<{ issued: PreviewCode; code: string }> {
  requireScope(actor, "content:write");
  const draft = await requireExistingDraft(stores.drafts, draftId);
  const existing = await stores.previewCodes.ofDraft(draft.id);
  if (existing.length >= CODES_MAX) {
    const message = {
      en: `The draft ${draft.id} has ${CODES_MAX} codes already. Revoke one first`,
      de: `Für diesen Entwurf gibt es schon ${CODES_MAX} Codes: Widerrufen Sie zuerst einen`,
    };
    throw new AppError("conflict", message);
  }
  const code = mintClaimCode();
  const issued: PreviewCode = {
    id: newId(now),
    draftId: draft.id,
    note,
    createdAt: now.toISOString(),
    createdBy: actorName(actor),
    expiresAt: new Date(now.getTime() + days * DAY_MILLISECONDS).toISOString(),
    usedAt: null,
  };
  const entry = auditEntryForChange("draft.share", auditTargetOfDraft(draft), {
    actor,
    now,
    requestId,
  });
  await stores.previewCodes.insert(issued, hashSecret(code), {
    ...entry,
    detail: auditDetail(issued),
  });
  return { issued, code };
}

/** The codes for a draft, oldest first. @throws {AppError} `not_found`. */
export async function listPreviewCodes(
  stores: PreviewSharingStores,
  actor: Actor,
  draftId: string,
): Promise<PreviewCode[]> {
  requireScope(actor, "content:read");
  await requireExistingDraft(stores.drafts, draftId);
  return await stores.previewCodes.ofDraft(draftId);
}

/** Revokes a code at once. @throws {AppError} `not_found`. */
export async function revokePreviewCode(
  stores: PreviewSharingStores,
  actor: Actor,
  id: string,
  { now, requestId }: ChangeContext,
): Promise<PreviewCode> {
  requireScope(actor, "content:write");
  const code = await stores.previewCodes.byId(id);
  if (code === null)
    throw new AppError("not_found", {
      en: `There is no code ${id}: it ended or was revoked`,
      de: "Diesen Code gibt es nicht mehr: Er ist abgelaufen oder wurde widerrufen",
    });
  const draft = await stores.drafts.byId(code.draftId);
  const target = draft === null ? code.draftId : auditTargetOfDraft(draft);
  const entry = auditEntryForChange("draft.unshare", target, { actor, now, requestId });
  await stores.previewCodes.remove(code.id, { ...entry, detail: auditDetail(code) });
  return code;
}

const VISITOR_ACTOR: Actor = { kind: "visitor" };

/**
 * Returns the draft that a code shows.
 *
 * @throws {AppError} `not_found`, always with the same message, if the code is unknown, revoked or expired,
 * or if its draft was published or discarded.
 */
export async function findDraftByPreviewCode(
  stores: PreviewCodeLookupStores,
  enteredCode: string,
  { now }: Pick<ChangeContext, "now">,
): Promise<{ code: PreviewCode; draft: Draft }> {
  const code = await stores.previewCodes.byHash(hashSecret(enteredCode.trim()));
  const draft = code === null ? null : await stores.drafts.byId(code.draftId);
  const longestValidity = PREVIEW_CODE_DAYS_MAX * DAY_MILLISECONDS;
  if (code === null || draft === null || hasExpired(code.expiresAt, now, longestValidity)) {
    throw new AppError("not_found", {
      en: "This code is not valid, has expired or was revoked",
      de: "Dieser Code gilt nicht, ist abgelaufen oder wurde widerrufen",
    });
  }
  return { code, draft };
}

/**
 * Records the use of a code; the first use is entered in the audit log. Call within a transaction.
 *
 * @throws {AppError} as {@link findDraftByPreviewCode}.
 */
export async function recordPreviewCodeUse(
  stores: PreviewSharingStores,
  enteredCode: string,
  { now, requestId }: ChangeContext,
): Promise<void> {
  const { code, draft } = await findDraftByPreviewCode(stores, enteredCode, { now });
  const seen = auditEntryForChange("draft.seen", auditTargetOfDraft(draft), {
    actor: VISITOR_ACTOR,
    now,
    requestId,
  });
  const entry = code.usedAt === null ? { ...seen, detail: auditDetail(code) } : null;
  await stores.previewCodes.noteUse(code.id, now.toISOString(), entry);
}

function auditDetail({ id, note, expiresAt }: PreviewCode): string {
  return `Code ${id} until ${expiresAt}${note === "" ? "" : `: ${note}`}`;
}
