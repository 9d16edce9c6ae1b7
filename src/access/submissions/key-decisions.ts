import { AppError } from "../../errors.ts";
import { keyDeclinedMail } from "../../mail/mails/key-declined.ts";
import { type Actor, actorName } from "../actor.ts";
import { describeKeyError, type KeyReader, readReplacementChain } from "../keys/keys.ts";
import { type KeyRequest, type KeyRequestStore, readKeyRequest } from "./key-requests.ts";
import {
  auditEntryForSubmission,
  clampTimeToEarliest,
  type MailStores,
  readEditorsMailSender,
  type SubmissionContext,
} from "./submissions.ts";

/**
 * Declines a request, mails the reason to the requester and voids a pending claim code. Call within a
 * transaction.
 *
 * @throws {AppError} `conflict` if the request is already declined, claimed or erased, or if a key issued
 *   for it still works.
 */
export async function declineKeyRequest(
  stores: MailStores & { keyRequests: KeyRequestStore; keys: KeyReader },
  actor: Actor,
  id: string,
  { reason, note, ...context }: SubmissionContext & { reason: string; note?: string },
): Promise<KeyRequest> {
  const request = await readKeyRequest(stores.keyRequests, actor, id);
  requireRequestNotErased(request);
  if (request.state === "declined") {
    throw new AppError("conflict", {
      en: "Cannot decline this request: it is declined already",
      de: "Diese Anfrage lässt sich nicht ablehnen: Sie ist schon abgelehnt",
    });
  }
  const keys = request.keyId === null ? [] : await readReplacementChain(stores.keys, request.keyId);
  const inUse = keys.findLast((key) => describeKeyError(key, context.now) === null);
  if (request.state === "claimed" || inUse !== undefined) {
    throw new AppError("conflict", {
      en: `Cannot decline this request: key ${inUse?.id ?? request.keyId} came of it; revoke that key instead`,
      de: "Diese Anfrage lässt sich nicht mehr ablehnen: Der Schlüssel ist schon abgeholt. Widerrufen Sie ihn unter „Schlüssel“",
    });
  }
  const declined = applyKeyRequestDecision(request, actor, context.now, {
    state: "declined",
    reason,
    note: note ?? request.note,
    code: null,
  });
  const entry = auditEntryForSubmission("request.decline", declined, { ...context, actor });
  await stores.keyRequests.update(declined, entry);
  await stores.outbox.withdraw(id, "key-approved");
  if (context.sendsMail) {
    const letter = keyDeclinedMail(await readEditorsMailSender(stores, context), {
      ...request,
      reason,
    });
    await stores.outbox.put(letter, context.now);
  }
  return declined;
}

/** @throws {AppError} `conflict` if the requester's data has been erased. */
export function requireRequestNotErased({ id, erasedAt }: KeyRequest): void {
  if (erasedAt === null) return;
  throw new AppError("conflict", {
    en: `Cannot decide on request ${id}: who asked was erased at ${erasedAt}; have them ask again`,
    de: "Über diese Anfrage lässt sich nicht mehr entscheiden: Die Daten der Person wurden gelöscht. Sie müsste noch einmal anfragen",
  });
}

/** Returns the request with a decision applied: the members of `change`, the time and the deciding actor. */
export function applyKeyRequestDecision(
  request: KeyRequest,
  actor: Actor,
  now: Date,
  change: Partial<KeyRequest>,
): KeyRequest {
  const at = clampTimeToEarliest(request.changedAt, now);
  return {
    ...request,
    ...change,
    changedAt: at,
    decidedAt: at,
    decidedBy: actorName(actor),
    revision: request.revision + 1,
  };
}
