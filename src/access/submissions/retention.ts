import type { ContentReader } from "../../content/record.ts";
import { DAY_MILLISECONDS } from "../days.ts";
import type { KeyRequest } from "./key-requests.ts";
import type { SubmissionStores } from "./submission-stores.ts";
import { auditEntryForSubmission } from "./submissions.ts";

const BATCH_MAX = 100;

type Stores = Pick<SubmissionStores, "keyRequests" | "messages" | "outbox">;

interface SubmissionRecord extends Stores {
  content: Pick<ContentReader, "site">;
  atomically<T>(change: (stores: Stores) => Promise<T>): Promise<T>;
}

/** Expires claim codes that were not used in time. */
export async function expireClaimCodes(record: SubmissionRecord, now: Date): Promise<void> {
  const requests = await record.keyRequests.withExpiredCode(now, BATCH_MAX);
  if (requests.length === 0) return;
  await record.atomically(async (stores) => {
    for (const { id } of requests) await expireCode(stores, id, now);
  });
}

/**
 * Erases personal data from submissions that have not changed for the number of days in the settings. A
 * request keeps its decision; a message is removed.
 */
export async function eraseOldSubmissions(record: SubmissionRecord, now: Date): Promise<void> {
  const site = await record.content.site();
  if (site === null) return;
  const since = new Date(now.getTime() - site.retention.messageDays * DAY_MILLISECONDS);
  const oldRequests = await record.keyRequests.unchangedSince(since, BATCH_MAX);
  const oldMessages = await record.messages.unchangedSince(since, BATCH_MAX);
  if (oldRequests.length + oldMessages.length === 0) return;
  await record.atomically(async (stores) => {
    for (const { id } of oldRequests) await eraseRequest(stores, id, { now, since });
    for (const { id } of oldMessages) await eraseMessage(stores, id, { now, since });
  });
}

/** Expires a code. Reads the request again, because someone may have used or renewed the code meanwhile. */
async function expireCode({ keyRequests, outbox }: Stores, id: string, now: Date): Promise<void> {
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
    auditEntryForSubmission("request.expire", expired, { actor: "clock", now }),
  );
}

async function eraseRequest(
  { keyRequests, outbox }: Stores,
  id: string,
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  const request = await keyRequests.byId(id);
  if (request === null || request.changedAt >= since.toISOString()) return;
  const erased = eraseKeyRequestPersonalData(request, now);
  await outbox.forget(id);
  await keyRequests.update(
    erased,
    auditEntryForSubmission("request.erase", erased, { actor: "clock", now }),
  );
}

/** The request without personal data. */
export function eraseKeyRequestPersonalData(request: KeyRequest, now: Date): KeyRequest {
  return {
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
}

async function eraseMessage(
  { messages, outbox }: Stores,
  id: string,
  { now, since }: { now: Date; since: Date },
): Promise<void> {
  const message = await messages.byId(id);
  if (message === null || message.changedAt >= since.toISOString()) return;
  const removal = { id, revision: message.revision + 1 };
  await outbox.forget(id);
  await messages.remove(
    id,
    auditEntryForSubmission("message.erase", removal, { actor: "clock", now }),
  );
}
