import { AppError, englishOnlyWording } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import type { Actor } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { hasExpired } from "../expiry.ts";
import { type ResponseCipher, responseCipherFor } from "../idempotent-responses.ts";
import { normalizeKeyAttributes } from "../keys/key-attributes.ts";
import { hashSecret, mintKey } from "../keys/key-format.ts";
import { type IssuedKey, type Key, readReplacementChain } from "../keys/keys.ts";
import { CODE_LIFETIME_MILLISECONDS, keyAttributesForRequest } from "./key-approvals.ts";
import type { KeyRequest } from "./key-requests.ts";
import type { SubmissionStores } from "./submission-stores.ts";
import { auditEntryForSubmission, clampTimeToEarliest } from "./submissions.ts";

/** One message for unknown, used, replaced and expired codes, so that guessing reveals nothing. */
const CLAIM_REFUSED = "This claim code is not valid, has been used or has expired";
/** Claiming requires no key, so the actor is a visitor. The request records who approved it. */
const CLAIMANT_ACTOR: Actor = { kind: "visitor" };
/** How long a repeated claim gets the same key again. */
const REPEATABLE_MILLISECONDS = 10_000;

interface ClaimContext extends ChangeContext {
  /** IP address of the visitor. */
  address: string;
}

/**
 * Exchanges a claim code for a key. If a key was already claimed for the same key request, revokes that key
 * and the keys that rotation put in its place.
 * If the same visitor sends the code again within seconds, returns the same key: a browser shows only the
 * response to the second tap on a button. Call within a transaction.
 *
 * @throws {AppError} `not_found`, with one message for all invalid codes.
 */
export async function claimKey(
  stores: SubmissionStores,
  typedCode: string,
  context: ClaimContext,
): Promise<IssuedKey> {
  const code = typedCode.trim();
  const cipher = claimCipher(code, context);
  const request = await stores.keyRequests.byCodeHash(hashSecret(code));
  if (request === null || !isUsable(request, context.now)) {
    const repeated = await findRepeatedClaim(stores, cipher, context);
    if (repeated !== null) return repeated;
    throw new AppError("not_found", englishOnlyWording(CLAIM_REFUSED));
  }
  const issued = await issueKeyForRequest(stores, request, context);
  const claim: StoredClaim = { key: issued.key, id: issued.record.id };
  await stores.idempotentResponses.store(cipher.encrypt(JSON.stringify(claim), context.now));
  return issued;
}

interface StoredClaim {
  key: string;
  id: string;
}

/** The claimed key is stored encrypted by the code, which is stored only as a hash. */
function claimCipher(code: string, { address }: ClaimContext): ResponseCipher {
  const keyId = hashSecret(code);
  return responseCipherFor({ keyId, key: code, idempotencyKey: "claim", content: address });
}

async function findRepeatedClaim(
  { idempotentResponses, keys }: SubmissionStores,
  cipher: ResponseCipher,
  { now }: ClaimContext,
): Promise<IssuedKey | null> {
  const stored = await idempotentResponses.find(cipher.name);
  if (stored === null || now.getTime() - Date.parse(stored.storedAt) >= REPEATABLE_MILLISECONDS)
    return null;
  const decrypted = cipher.decrypt(stored);
  if (decrypted === null) return null;
  const { key, id }: StoredClaim = JSON.parse(decrypted);
  const record = await keys.byId(id);
  return record === null || record.revokedAt !== null ? null : { key, record };
}

async function issueKeyForRequest(
  stores: SubmissionStores,
  request: UsableKeyRequest,
  { now, requestId }: ClaimContext,
): Promise<IssuedKey> {
  const entryContext = { now, requestId, actor: CLAIMANT_ACTOR };
  const key = mintKey();
  const record = await stores.keys.write(async (transaction) => {
    const replaced =
      request.keyId === null ? [] : await readReplacementChain(transaction, request.keyId);
    for (const old of replaced) {
      if (old.revokedAt !== null) continue;
      const revokedWhy = "Another was claimed in its place";
      const revoked: Key = { ...old, revokedAt: now.toISOString(), revokedWhy };
      await transaction.update(
        revoked,
        auditEntryForChange("key.revoke", revoked.id, entryContext),
      );
    }
    const before = replaced.at(-1);
    const attributes = keyAttributesForRequest(request, request.terms);
    const issued: Key = {
      ...normalizeKeyAttributes({ ...attributes, tools: before?.tools ?? [] }),
      id: newId(now),
      createdAt: now.toISOString(),
      createdBy: request.decidedBy ?? CLAIMANT_ACTOR.kind,
      lastUsedAt: null,
      revokedAt: null,
      revokedWhy: null,
      rotatedFrom: before?.id ?? null,
      remindedAt: null,
    };
    await transaction.insert(
      { key: issued, hash: hashSecret(key) },
      auditEntryForChange("key.issue", issued.id, entryContext),
    );
    return issued;
  });
  const claimed: KeyRequest = {
    ...request,
    state: "claimed",
    changedAt: clampTimeToEarliest(request.changedAt, now),
    claimedAt: now.toISOString(),
    revision: request.revision + 1,
    code: null,
    keyId: record.id,
  };
  const entry = auditEntryForSubmission("request.claim", claimed, entryContext);
  await stores.keyRequests.update(claimed, entry);
  return { key, record };
}

type UsableKeyRequest = KeyRequest & { terms: NonNullable<KeyRequest["terms"]> };

function isUsable(request: KeyRequest, now: Date): request is UsableKeyRequest {
  const { state, code, terms } = request;
  const isOpen = state === "approved" && terms !== null && code !== null;
  return isOpen && !hasExpired(code.expiresAt, now, CODE_LIFETIME_MILLISECONDS);
}
