import { z } from "zod";
import { type Actor, actorName, requireScope } from "./actor.ts";

/**
 * An entry of the append-only audit log. An entry is written in the same transaction as the change it
 * describes.
 */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  at: string;
  actor: string;
  /** The action, as object and verb: `content.publish`, `key.issue`. */
  action: string;
  /** Path or id of the changed object. */
  target: string;
  revisionBefore: number | null;
  revisionAfter: number | null;
  requestId: string | null;
  /** One line of text for readers of the log. Must not contain a secret. */
  detail?: string | null;
}

/** The time of a change. For a change made over HTTP, also the id of the request. */
export interface ChangeContext {
  now: Date;
  requestId?: string | undefined;
}

/** Returns the audit entry for a change to an object that has no revisions. */
export function auditEntryForChange(
  action: string,
  target: string,
  { actor, now, requestId }: { actor: Actor } & ChangeContext,
): AuditEntry {
  return {
    at: now.toISOString(),
    actor: actorName(actor),
    action,
    target,
    revisionBefore: null,
    revisionAfter: null,
    requestId: requestId ?? null,
  };
}

/** An entry with its sequence number, from 1. */
export interface NumberedAuditEntry extends AuditEntry {
  number: number;
  detail: string | null;
}

/** An entry for display. */
export interface AuditEntryWithActorName extends NumberedAuditEntry {
  /** The current name of the person or key that made the change; null for other actors. */
  actorName: string | null;
}

export interface AuditFilter {
  actor?: string;
  /** Prefix of the action: `key.` matches `key.issue` and `key.revoke`. */
  action?: string;
  target?: string;
  /** `since` and `until`: ISO 8601, UTC; both bounds are inclusive. */
  since?: string;
  until?: string;
}

/** An ISO 8601 date or date-time. */
export const dateOrDateTimeSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "is not a day, such as 2026-11-21, and not a moment, such as 2026-11-21T10:00:00Z",
});
const filterText = z.string().min(1).max(2000);

/** The filter as callers send it. A date as `until` includes that whole day. */
export const auditFilterSchema = z.strictObject({
  actor: filterText
    .exactOptional()
    .meta({ description: "As in entries: operator, person:<id>, key:<id>" }),
  action: filterText.exactOptional().meta({ description: "A prefix: key. also finds key.issue" }),
  target: filterText.exactOptional().meta({ description: "A path or an id, whole" }),
  since: dateOrDateTimeSchema.transform((at) => new Date(at).toISOString()).exactOptional(),
  until: dateOrDateTimeSchema
    .transform((at) => (isDay(at) ? `${at}T23:59:59.999Z` : new Date(at).toISOString()))
    .exactOptional(),
});

export interface AuditLog {
  /** The entries that match the query and have a number below `before`, latest first. */
  entries(
    query: AuditFilter & { before?: number; limit: number },
  ): Promise<AuditEntryWithActorName[]>;
  /** Yields all matching entries one by one, oldest first, because there may be many entries. */
  streamAll(filter: AuditFilter): AsyncIterable<AuditEntryWithActorName>;
}

/** Reads one page of the audit log, latest first. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function readAuditLogPage(
  audit: AuditLog,
  actor: Actor,
  query: AuditFilter & { before?: number; limit: number },
): Promise<AuditEntryWithActorName[]> {
  requireScope(actor, "audit:read");
  return await audit.entries(query);
}

/**
 * Streams every matching entry; an empty filter matches all.
 *
 * @throws {AppError} `forbidden`, `unauthenticated`.
 */
export function exportAuditLog(
  audit: AuditLog,
  actor: Actor,
  filter: AuditFilter,
): AsyncIterable<AuditEntryWithActorName> {
  requireScope(actor, "audit:read");
  return audit.streamAll(filter);
}

function isDay(at: string): boolean {
  return !at.includes("T");
}
