import type { KeyRequest } from "./key-requests.ts";
import { type ReceptionStores, receptionEntry } from "./reception.ts";

/** How long what visitors told of themselves is kept after the last that was done about it. */
const KEPT_DAYS = 365;
const KEPT_MILLISECONDS = KEPT_DAYS * 86_400_000;
const AT_ONCE_MAX = 100;

type Kept = Pick<ReceptionStores, "keyRequests" | "messages" | "outbox">;

interface ReceptionRecord extends Kept {
  atomically<T>(change: (stores: Kept) => Promise<T>): Promise<T>;
}

/**
 * For the clock: ends claim codes nobody used in time, and lets go of what visitors told of
 * themselves a year ago. Of a request stays what was decided, of a message nothing.
 */
export async function endKeeping(record: ReceptionRecord, now: Date): Promise<void> {
  const since = new Date(now.getTime() - KEPT_MILLISECONDS);
  const lapsed = await record.keyRequests.lapsed(now, AT_ONCE_MAX);
  const old = await record.keyRequests.unchangedSince(since, AT_ONCE_MAX);
  const oldMessages = await record.messages.unchangedSince(since, AT_ONCE_MAX);
  if (lapsed.length + old.length + oldMessages.length === 0) return;
  await record.atomically(async (stores) => {
    for (const { id } of lapsed) await expireCode(stores, id, now);
    for (const { id } of old) await eraseRequest(stores, id, { now, since });
    for (const { id } of oldMessages) await eraseMessage(stores, id, { now, since });
  });
}

/** Looked at again: somebody may have used or renewed it just now. */
async function expireCode({ keyRequests, outbox }: Kept, id: string, now: Date): Promise<void> {
  const request = await keyRequests.byId(id);
  if (request === null || request.code === null) return;
  if (request.code.expiresAt > now.toISOString()) return;
  const expired: KeyRequest = {
    ...request,
    state: request.keyId === null ? "expired" : "claimed",
    changedAt: now.toISOString(),
    revision: request.revision + 1,
    code: null,
  };
  await outbox.withdraw(id, "key-approved");
  await keyRequests.update(
    expired,
    receptionEntry("request.expire", expired, { actor: "clock", now }),
  );
}

async function eraseRequest(
  { keyRequests, outbox }: Kept,
  id: string,
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  const request = await keyRequests.byId(id);
  if (request === null || request.changedAt >= since.toISOString()) return;
  const erased: KeyRequest = {
    ...request,
    name: "",
    email: "",
    organisation: "",
    task: "",
    data: "",
    note: "",
    reason: null,
    state: request.state === "pending" ? "expired" : request.state,
    changedAt: now.toISOString(),
    erasedAt: now.toISOString(),
    revision: request.revision + 1,
  };
  await outbox.forget(id);
  await keyRequests.update(
    erased,
    receptionEntry("request.erase", erased, { actor: "clock", now }),
  );
}

async function eraseMessage(
  { messages, outbox }: Kept,
  id: string,
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  const message = await messages.byId(id);
  if (message === null || message.changedAt >= since.toISOString()) return;
  const erased = { id, revision: message.revision + 1 };
  await outbox.forget(id);
  await messages.remove(id, receptionEntry("message.erase", erased, { actor: "clock", now }));
}
