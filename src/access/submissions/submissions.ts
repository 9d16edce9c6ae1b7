import type { ContentReader } from "../../content/record.ts";
import { editorsEmail } from "../../content/site/starter-site.ts";
import { AppError } from "../../errors.ts";
import type { MailSender, SenderWithEmail } from "../../mail/letter.ts";
import type { Mail, Outbox } from "../../mail/outbox.ts";
import { newId } from "../../new-id.ts";
import { type Actor, actorName, requireScope } from "../actor.ts";
import type { AuditEntry, ChangeContext } from "../audit.ts";

/** A form sent by a visitor: a message to the editors or a request for a key. */
export interface Submission {
  id: string;
  state: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  changedAt: string;
  /** Starts at 1 and increases with each change. */
  revision: number;
}

/** Writes each change with its audit entry, in the current transaction if there is one, else in a new one. */
export interface SubmissionStore<Received extends Submission> {
  byId(id: string): Promise<Received | null>;
  /** Submissions with ids below `before`, newest first. */
  list(options: ListOptions<Received>): Promise<Received[]>;
  /** At most `limit` submissions that still hold personal data and have not changed since a time. */
  unchangedSince(since: Date, limit: number): Promise<Received[]>;
  insert(received: Received, entry: AuditEntry): Promise<void>;
  update(received: Received, entry: AuditEntry): Promise<void>;
}

interface ListOptions<Received extends Submission> {
  state: Received["state"] | null;
  before: string | null;
  limit: number;
}

export interface MailStores {
  outbox: Outbox;
  content: Pick<ContentReader, "site" | "lastTrustedTime">;
}

export interface SubmissionContext extends ChangeContext {
  /** Scheme and host for absolute URLs. */
  origin: string;
  /** Whether the service can send mail. */
  sendsMail: boolean;
}

/**
 * Stores a submission and mails the editors, if the site has an address for them. Call within a
 * transaction.
 */
export async function receiveSubmission<Received extends Submission>(
  received: Received,
  { store, mails, action }: { store: SubmissionStore<Received>; mails: MailStores; action: string },
  {
    notice,
    ...context
  }: SubmissionContext & { notice: (sender: SenderWithEmail, received: Received) => Mail },
): Promise<Received> {
  const actor: Actor = { kind: "visitor" };
  await store.insert(received, auditEntryForSubmission(action, received, { ...context, actor }));
  if (context.sendsMail) {
    const { email, ...sender } = await readEditorsMailSender(mails, context);
    if (email !== null) {
      await mails.outbox.put(notice({ ...sender, email }, received), context.now);
    }
  }
  return received;
}

/** The initial id, times and revision of a submission. */
export async function createInitialSubmissionValues(
  { content }: Pick<MailStores, "content">,
  now: Date,
) {
  const at = clampTimeToEarliest(await content.lastTrustedTime(), now);
  return { id: newId(now), receivedAt: at, changedAt: at, revision: 1 };
}

/**
 * Returns `now`, or `earliest` if that is later. With a slow clock, the time of a submission could otherwise
 * be too early, and its personal data would then be erased too early.
 */
export function clampTimeToEarliest(earliest: string | null, now: Date): string {
  const at = now.toISOString();
  return earliest !== null && earliest > at ? earliest : at;
}

/** Lists submissions, newest first. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function listSubmissions<Received extends Submission>(
  store: SubmissionStore<Received>,
  actor: Actor,
  options: ListOptions<Received>,
): Promise<Received[]> {
  requireScope(actor, "requests:manage");
  return await store.list(options);
}

/**
 * Reads one submission.
 *
 * @param noun names the kind of submission in the error.
 * @throws {AppError} `not_found`, `forbidden`, `unauthenticated`.
 */
export async function readSubmission<Received extends Submission>(
  store: SubmissionStore<Received>,
  actor: Actor,
  { id, noun }: { id: string; noun: string },
): Promise<Received> {
  requireScope(actor, "requests:manage");
  const found = await store.byId(id);
  if (found === null)
    throw new AppError("not_found", {
      en: `There is no ${noun} with the id ${id}`,
      de: "Das gibt es nicht mehr: Suchen Sie es in der Liste",
    });
  return found;
}

/**
 * The sender of a mail from the site's editors.
 *
 * @throws when the store holds no site.
 */
export async function readEditorsMailSender(
  { content }: { content: Pick<ContentReader, "site"> },
  { origin }: Pick<SubmissionContext, "origin">,
): Promise<MailSender> {
  const site = await content.site();
  if (site === null) throw new Error("The store holds no site");
  return { siteName: site.name, email: editorsEmail(site), origin };
}

/** Returns the audit entry for the change that gave a submission its present revision. */
export function auditEntryForSubmission(
  action: string,
  changed: Pick<Submission, "id" | "revision">,
  { actor, now, requestId }: { actor: Actor | "clock" } & ChangeContext,
): AuditEntry {
  return {
    at: now.toISOString(),
    actor: actor === "clock" ? actor : actorName(actor),
    action,
    target: changed.id,
    revisionBefore: changed.revision === 1 ? null : changed.revision - 1,
    revisionAfter: changed.revision,
    requestId: requestId ?? null,
  };
}
