import { keyApprovedMail } from "../../mail/mails/key-approved.ts";
import type { Actor } from "../actor.ts";
import { DAY_MILLISECONDS } from "../days.ts";
import { requireGrantableRights } from "../keys/grants.ts";
import {
  type KeyAttributes,
  normalizeKeyAttributes,
  RATE_PER_MINUTE_DEFAULT,
  requireValidKeyAttributes,
} from "../keys/key-attributes.ts";
import { hashSecret, mintClaimCode } from "../keys/key-format.ts";
import { type KeyReader, readReplacementChain } from "../keys/keys.ts";
import { applyKeyRequestDecision, requireRequestNotErased } from "./key-decisions.ts";
import { type KeyRequest, type KeyTerms, readKeyRequest } from "./key-requests.ts";
import type { SubmissionStores } from "./submission-stores.ts";
import {
  auditEntryForSubmission,
  clampTimeToEarliest,
  readEditorsMailSender,
  type SubmissionContext,
} from "./submissions.ts";

export const CODE_LIFETIME_MILLISECONDS = 7 * DAY_MILLISECONDS;
const TERMS_DEFAULT: KeyTerms = {
  scopes: ["mcp:read"],
  ratePerMinute: RATE_PER_MINUTE_DEFAULT,
  networks: [],
  expiresAt: null,
};

export interface KeyApproval {
  /**
   * Rights of the key. Each omitted term is taken from the key that was claimed with this request, otherwise
   * from the earlier decision on the request, otherwise from `TERMS_DEFAULT`.
   */
  terms?: Partial<KeyTerms>;
  note?: string;
  /** Whether to return the code even if the service could mail it. */
  returnsCode?: boolean;
}

export interface ApprovedKeyRequest {
  request: KeyRequest;
  /** The code, to be shown once and passed on to the requester; null if the service mails it instead. */
  code: string | null;
}

/**
 * Approves a request: issues a single-use claim code, valid for seven days, or until the key expires.
 * Approving again replaces the code. After a key was claimed, claiming with the new code issues a new key and
 * revokes the old one. Requesters can thus replace a lost key. Call within a transaction.
 *
 * @throws {AppError} `invalid`, `forbidden` for terms the actor may not grant, `conflict`, `not_found`.
 */
export async function approveKeyRequest(
  stores: SubmissionStores,
  actor: Actor,
  id: string,
  { terms: requested = {}, note, returnsCode = false, ...context }: KeyApproval & SubmissionContext,
): Promise<ApprovedKeyRequest> {
  const request = await readKeyRequest(stores.keyRequests, actor, id);
  requireRequestNotErased(request);
  const terms: KeyTerms = { ...(await readCurrentKeyTerms(stores, request)), ...requested };
  const statement = normalizeKeyAttributes(keyAttributesForRequest(request, terms));
  requireValidKeyAttributes(statement, context.now, {
    en: "Cannot approve this request",
    de: "Diese Anfrage lässt sich so nicht genehmigen",
  });
  requireGrantableRights(actor, statement);
  const code = mintClaimCode();
  const approvedAt = Date.parse(clampTimeToEarliest(request.changedAt, context.now));
  // The code must not outlive the key: a late claim would return an expired key.
  const keyEnd = terms.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(terms.expiresAt);
  const codeEnd = Math.min(approvedAt + CODE_LIFETIME_MILLISECONDS, keyEnd);
  const expiresAt = new Date(codeEnd).toISOString();
  const approved = applyKeyRequestDecision(request, actor, context.now, {
    state: "approved",
    reason: null,
    note: note ?? request.note,
    terms: { ...terms, scopes: statement.scopes },
    code: { hash: hashSecret(code), expiresAt },
  });
  const detail = statement.scopes.join(", ");
  const entry = {
    ...auditEntryForSubmission("request.approve", approved, { ...context, actor }),
    detail,
  };
  await stores.keyRequests.update(approved, entry);
  await stores.outbox.withdraw(id, "key-approved");
  if (returnsCode || !context.sendsMail) return { request: approved, code };
  const letter = { ...request, code, codeExpiresAt: expiresAt };
  await stores.outbox.put(
    keyApprovedMail(await readEditorsMailSender(stores, context), letter),
    context.now,
  );
  return { request: approved, code: null };
}

/**
 * The terms of the newest key that was claimed with this request or rotated since, otherwise the terms of the
 * earlier decision on the request, otherwise `TERMS_DEFAULT`.
 */
export async function readCurrentKeyTerms(
  { keys }: { keys: KeyReader },
  { keyId, terms }: Pick<KeyRequest, "keyId" | "terms">,
): Promise<KeyTerms> {
  const key = keyId === null ? undefined : (await readReplacementChain(keys, keyId)).at(-1);
  if (key === undefined) return terms ?? TERMS_DEFAULT;
  const { scopes, ratePerMinute, networks, expiresAt } = key;
  return { scopes, ratePerMinute, networks, expiresAt };
}

/** The attributes of a key that is issued for a request. */
export function keyAttributesForRequest(request: KeyRequest, terms: KeyTerms): KeyAttributes {
  return { ...describeRequestedKey(request), tools: [], ...terms };
}

/** The texts of a key that is issued for a request. */
export function describeRequestedKey({
  name,
  email,
  organisation,
  task,
}: KeyRequest): Pick<KeyAttributes, "name" | "owner" | "contact" | "purpose"> {
  const owner = organisation === "" ? name : `${name}, ${organisation}`;
  return { name, owner, contact: email, purpose: task };
}
