import { z } from "zod";
import { keyRequestArrivedMail } from "../../mail/mails/key-request-arrived.ts";
import type { Actor } from "../actor.ts";
import type { KeyAttributes } from "../keys/key-attributes.ts";
import {
  createInitialSubmissionValues,
  type MailStores,
  readSubmission,
  receiveSubmission,
  type Submission,
  type SubmissionContext,
  type SubmissionStore,
} from "./submissions.ts";
import {
  emailAddressSchema,
  INPUT_CHARACTERS_MAX,
  multiLineTextSchema,
  singleLineTextSchema,
} from "./visitor-input.ts";

/** The form with which a visitor requests a key. */
export const keyRequestInputSchema = z.strictObject({
  name: singleLineTextSchema({
    charactersMax: INPUT_CHARACTERS_MAX.name,
    whenEmpty: "Tell us your name",
  }),
  email: emailAddressSchema,
  organisation: singleLineTextSchema({ charactersMax: INPUT_CHARACTERS_MAX.organisation }).default(
    "",
  ),
  task: multiLineTextSchema({
    charactersMax: INPUT_CHARACTERS_MAX.task,
    whenEmpty: "Tell us what the key is for",
  }),
  data: multiLineTextSchema({ charactersMax: INPUT_CHARACTERS_MAX.data }).default(""),
  access: z.enum(["read", "write"], { error: "Choose reading, or reading and writing" }),
});

export type KeyRequestInput = z.output<typeof keyRequestInputSchema>;

export const KEY_REQUEST_STATES = [
  "pending",
  "approved",
  "claimed",
  "declined",
  "expired",
] as const;

/**
 * `approved`: a claim code is valid. `expired`: the code was not used in time or was
 * withdrawn, or the requester's data was erased before a decision.
 */
export type KeyRequestState = (typeof KEY_REQUEST_STATES)[number];

/** The rights of the key that is issued for a request. */
export type KeyTerms = Pick<KeyAttributes, "scopes" | "ratePerMinute" | "networks" | "expiresAt">;

/** A request for a key as stored in the record. */
export interface KeyRequest extends Submission, KeyRequestInput {
  state: KeyRequestState;
  decidedAt: string | null;
  decidedBy: string | null;
  /** Notes between administrators. */
  note: string;
  /** Why the request was declined, as mailed to the requester. */
  reason: string | null;
  terms: KeyTerms | null;
  /** SHA-256 of the claim code as 64 hexadecimal digits, and its expiry. */
  code: { hash: string; expiresAt: string } | null;
  /** The latest key claimed with this request. */
  keyId: string | null;
  claimedAt: string | null;
  /** When name, address and texts were erased. */
  erasedAt: string | null;
}

/** A key request for callers: without the hash of its claim code, but with the code's expiry. */
export type KeyRequestWithoutCodeHash = Omit<KeyRequest, "code"> & { codeExpiresAt: string | null };

export interface KeyRequestStore extends SubmissionStore<KeyRequest> {
  byCodeHash(hash: string): Promise<KeyRequest | null>;
  /** At most `limit` requests whose claim code has expired. */
  withExpiredCode(now: Date, limit: number): Promise<KeyRequest[]>;
}

/** Stores a request and mails the editors. Call within a transaction. */
export async function receiveKeyRequest(
  stores: MailStores & { keyRequests: KeyRequestStore },
  input: KeyRequestInput,
  context: SubmissionContext,
): Promise<KeyRequest> {
  const store = stores.keyRequests;
  const request: KeyRequest = {
    ...input,
    ...(await createInitialSubmissionValues(stores, context.now)),
    state: "pending",
    decidedAt: null,
    decidedBy: null,
    note: "",
    reason: null,
    terms: null,
    code: null,
    keyId: null,
    claimedAt: null,
    erasedAt: null,
  };
  const destination = { store, mails: stores, action: "request.ask" };
  return await receiveSubmission(request, destination, {
    ...context,
    notice: keyRequestArrivedMail,
  });
}

/** @throws {AppError} `not_found`, `forbidden`, `unauthenticated`. */
export async function readKeyRequest(
  requests: KeyRequestStore,
  actor: Actor,
  id: string,
): Promise<KeyRequest> {
  return await readSubmission(requests, actor, { id, noun: "key request" });
}

export function toKeyRequestWithoutCodeHash({
  code,
  ...request
}: KeyRequest): KeyRequestWithoutCodeHash {
  return { ...request, codeExpiresAt: code?.expiresAt ?? null };
}
