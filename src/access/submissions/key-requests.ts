import { z } from "zod";
import { AppError } from "../../errors.ts";
import { keyDeclined } from "../../mail/mails/key-declined.ts";
import { keyRequestArrived } from "../../mail/mails/key-request-arrived.ts";
import { type Actor, actorName } from "../actor.ts";
import type { KeyStatement } from "../keys/key-statement.ts";
import {
  type Circumstances,
  type MailStores,
  newSubmission,
  readSubmission,
  receive,
  type Submission,
  type SubmissionStore,
  submissionEntry,
  writerOf,
} from "./submissions.ts";
import { CHARACTERS_MAX, emailAddress, manyLines, oneLine } from "./visitor-input.ts";

/** What somebody who asks for a key tells of themselves and their task. */
export const keyRequestInputSchema = z.strictObject({
  name: oneLine({ charactersMax: CHARACTERS_MAX.name, whenEmpty: "Tell us your name" }),
  email: emailAddress,
  organisation: oneLine({ charactersMax: CHARACTERS_MAX.organisation }).default(""),
  task: manyLines({ charactersMax: CHARACTERS_MAX.task, whenEmpty: "Tell us what the key is for" }),
  data: manyLines({ charactersMax: CHARACTERS_MAX.data }).default(""),
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
 * `approved`: a claim code is out. `expired`: nobody used it in time, or nobody decided in a year.
 */
export type KeyRequestState = (typeof KEY_REQUEST_STATES)[number];

/** What the key of an approved request may do. */
export type KeyTerms = Pick<KeyStatement, "scopes" | "ratePerMinute" | "networks" | "expiresAt">;

/** A request for a key, as the record keeps it. */
export interface KeyRequest extends Submission, KeyRequestInput {
  state: KeyRequestState;
  decidedAt: string | null;
  decidedBy: string | null;
  /** What administrators note for each other. */
  note: string;
  /** Why it was declined, as its sender was told. */
  reason: string | null;
  terms: KeyTerms | null;
  /** SHA-256 of the claim code, as 64 hexadecimal digits, and until when the code works. */
  code: { hash: string; expiresAt: string } | null;
  /** The key that came of it, the latest if it was made anew. */
  keyId: string | null;
  claimedAt: string | null;
  /** Since when name, address and texts are gone. */
  erasedAt: string | null;
}

/** As doors show it: never what proves a claim code. */
export type ShownKeyRequest = Omit<KeyRequest, "code"> & { codeExpiresAt: string | null };

export interface KeyRequestStore extends SubmissionStore<KeyRequest> {
  byCodeHash(hash: string): Promise<KeyRequest | null>;
  /** Approved ones whose code has expired, at most `limit`. */
  lapsed(now: Date, limit: number): Promise<KeyRequest[]>;
}

type KeyRequestStores = MailStores & { keyRequests: KeyRequestStore };

/** Keeps a request and mails the editors about it. To be called within a transaction. */
export async function askForKey(
  stores: KeyRequestStores,
  input: KeyRequestInput,
  circumstances: Circumstances,
): Promise<KeyRequest> {
  const store = stores.keyRequests;
  const request: KeyRequest = {
    ...input,
    ...newSubmission(store, circumstances.now),
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
  const into = { store, mails: stores, action: "request.ask" };
  return await receive(request, into, { ...circumstances, notice: keyRequestArrived });
}

/** @throws {AppError} `not_found`, `forbidden`, `unauthenticated`. */
export async function readKeyRequest(
  requests: KeyRequestStore,
  actor: Actor,
  id: string,
): Promise<KeyRequest> {
  return await readSubmission(requests, actor, { id, noun: "key request" });
}

/**
 * Turns a request down and tells its sender why. A claim code that is out works no more. To be
 * called within a transaction.
 *
 * @throws {AppError} `conflict` when there is a key already, or nothing left to decide on.
 */
export async function declineKeyRequest(
  stores: KeyRequestStores,
  actor: Actor,
  id: string,
  { reason, note, ...circumstances }: Circumstances & { reason: string; note?: string },
): Promise<KeyRequest> {
  const request = await readKeyRequest(stores.keyRequests, actor, id);
  requireDecidable(request);
  if (request.state === "declined") {
    throw new AppError("conflict", "Cannot decline this request: it is declined already");
  }
  if (request.state === "claimed") {
    throw new AppError(
      "conflict",
      `Cannot decline this request: key ${request.keyId} came of it; revoke that key instead`,
    );
  }
  const declined = decided(request, actor, circumstances.now, {
    state: "declined",
    reason,
    note: note ?? request.note,
    code: null,
  });
  const entry = submissionEntry("request.decline", declined, { ...circumstances, actor });
  await stores.keyRequests.update(declined, entry);
  await stores.outbox.withdraw(id, "key-approved");
  if (circumstances.sendsMail) {
    const letter = keyDeclined(await writerOf(stores, circumstances), { ...request, reason });
    await stores.outbox.put(letter, circumstances.now);
  }
  return declined;
}

/** @throws {AppError} `conflict` when nobody is left to give a key to. */
export function requireDecidable({ id, erasedAt }: KeyRequest): void {
  if (erasedAt === null) return;
  throw new AppError(
    "conflict",
    `Cannot decide on request ${id}: who asked was erased at ${erasedAt}; have them ask again`,
  );
}

/** The request after a decision of an administrator. */
export function decided(
  request: KeyRequest,
  actor: Actor,
  now: Date,
  change: Partial<KeyRequest>,
): KeyRequest {
  const at = now.toISOString();
  return {
    ...request,
    ...change,
    changedAt: at,
    decidedAt: at,
    decidedBy: actorName(actor),
    revision: request.revision + 1,
  };
}

export function shownKeyRequest({ code, ...request }: KeyRequest): ShownKeyRequest {
  return { ...request, codeExpiresAt: code?.expiresAt ?? null };
}
