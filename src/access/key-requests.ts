import { z } from "zod";
import { AppError } from "../errors.ts";
import { keyDeclined } from "../mail/mails/key-declined.ts";
import { keyRequestArrived } from "../mail/mails/key-request-arrived.ts";
import { type Actor, actorName, requireScope } from "./actor.ts";
import type { AuditEntry } from "./audit.ts";
import type { KeyStatement } from "./key-statement.ts";
import { type Dealing, type ReceptionStores, receptionEntry, writerOf } from "./reception.ts";
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
export interface KeyRequest extends KeyRequestInput {
  id: string;
  state: KeyRequestState;
  /** ISO 8601, UTC, as all times. */
  receivedAt: string;
  changedAt: string;
  /** Counted up from 1 with each change. */
  revision: number;
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

/** Every change is a transaction with its audit entry, or a part of the one under way. */
export interface KeyRequestStore {
  newId(now: Date): string;
  byId(id: string): Promise<KeyRequest | null>;
  byCodeHash(hash: string): Promise<KeyRequest | null>;
  /** Latest first, those before an id. */
  list(options: {
    state: KeyRequestState | null;
    before: string | null;
    limit: number;
  }): Promise<KeyRequest[]>;
  /** Approved ones whose code is of no use any more, at most `limit`. */
  lapsed(now: Date, limit: number): Promise<KeyRequest[]>;
  /** Those unchanged since then that still hold personal data, at most `limit`. */
  unchangedSince(since: Date, limit: number): Promise<KeyRequest[]>;
  insert(request: KeyRequest, entry: AuditEntry): Promise<void>;
  update(request: KeyRequest, entry: AuditEntry): Promise<void>;
}

/** Keeps a request and tells the editors of it. To be called within a transaction. */
export async function askForKey(
  stores: ReceptionStores,
  input: KeyRequestInput,
  dealing: Dealing,
): Promise<KeyRequest> {
  const { now } = dealing;
  const request: KeyRequest = {
    ...input,
    id: stores.keyRequests.newId(now),
    state: "pending",
    receivedAt: now.toISOString(),
    changedAt: now.toISOString(),
    revision: 1,
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
  const entry = receptionEntry("request.ask", request, { ...dealing, actor: { kind: "visitor" } });
  await stores.keyRequests.insert(request, entry);
  if (dealing.sendsMail) {
    await stores.outbox.put(keyRequestArrived(await writerOf(stores, dealing), request), now);
  }
  return request;
}

/** Latest first. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function listKeyRequests(
  requests: KeyRequestStore,
  actor: Actor,
  options: { state: KeyRequestState | null; before: string | null; limit: number },
): Promise<KeyRequest[]> {
  requireScope(actor, "requests:manage");
  return await requests.list(options);
}

/** @throws {AppError} `not_found`, `forbidden`, `unauthenticated`. */
export async function readKeyRequest(
  requests: KeyRequestStore,
  actor: Actor,
  id: string,
): Promise<KeyRequest> {
  requireScope(actor, "requests:manage");
  const request = await requests.byId(id);
  if (request === null) {
    throw new AppError("not_found", `There is no key request with the id ${id}`);
  }
  return request;
}

/**
 * Turns a request down and tells its sender why. A claim code that is out works no more. To be
 * called within a transaction.
 *
 * @throws {AppError} `conflict` when there is a key already, or nothing left to decide on.
 */
export async function declineKeyRequest(
  stores: ReceptionStores,
  actor: Actor,
  id: string,
  { reason, note, ...dealing }: Dealing & { reason: string; note?: string },
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
  const declined = decided(request, actor, dealing.now, {
    state: "declined",
    reason,
    note: note ?? request.note,
    code: null,
  });
  const entry = receptionEntry("request.decline", declined, { ...dealing, actor });
  await stores.keyRequests.update(declined, entry);
  await stores.outbox.withdraw(id, "key-approved");
  if (dealing.sendsMail) {
    const letter = keyDeclined(await writerOf(stores, dealing), { ...request, reason });
    await stores.outbox.put(letter, dealing.now);
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
