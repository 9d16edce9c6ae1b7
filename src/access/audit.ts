import { z } from "zod";
import { type Actor, actorName, requireScope } from "./actor.ts";

/** One change, as the append-only audit log keeps it; written in the transaction of the change. */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  at: string;
  actor: string;
  /** A verb of the domain: `content.publish`, `key.issue`. */
  action: string;
  /** What was changed: a path, a key id. */
  target: string;
  revisionBefore: number | null;
  revisionAfter: number | null;
  requestId: string | null;
  /** What there is to say of it, in a line for people; never a secret. */
  detail?: string | null;
}

/** The entry of a change of what has no revisions. */
export function changeEntry(
  action: string,
  target: string,
  { actor, now, requestId }: { actor: Actor; now: Date; requestId?: string | null | undefined },
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

/** An entry with its place in the log, counted up from 1. */
export interface NumberedEntry extends AuditEntry {
  number: number;
  detail: string | null;
}

export interface AuditFilter {
  actor?: string;
  /** What the action begins with: `key.` finds `key.issue` and `key.revoke`. */
  action?: string;
  target?: string;
  /** ISO 8601, UTC; from then to then, both included. */
  since?: string;
  until?: string;
}

/** A day, or a moment. */
export const momentSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "is not a day, as 2026-11-21, and not a moment, as 2026-11-21T10:00:00Z",
});
const text = z.string().min(1).max(2000);

/** How callers ask for a part of the log; a day as `until` counts to its end. */
export const auditFilterSchema = z.strictObject({
  actor: text.exactOptional().meta({ description: "As entries name it: operator, key:<id>" }),
  action: text.exactOptional().meta({ description: "Its beginning: key. finds key.issue too" }),
  target: text.exactOptional().meta({ description: "A path or an id, whole" }),
  since: momentSchema.transform((at) => new Date(at).toISOString()).exactOptional(),
  until: momentSchema
    .transform((at) => (isDay(at) ? `${at}T23:59:59.999Z` : new Date(at).toISOString()))
    .exactOptional(),
});

export interface AuditLog {
  /** Those that match, latest first, those before a number. */
  entries(query: AuditFilter & { before?: number; limit: number }): Promise<NumberedEntry[]>;
  /** Everything that matches so far, oldest first, however much it is. */
  everything(filter: AuditFilter): AsyncIterable<NumberedEntry>;
}

/** A page of the audit log, latest first. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function readAudit(
  audit: AuditLog,
  actor: Actor,
  query: AuditFilter & { before?: number; limit: number },
): Promise<NumberedEntry[]> {
  requireScope(actor, "audit:read");
  return await audit.entries(query);
}

/** The whole audit log, or all of it that matches. @throws {AppError} `forbidden`, `unauthenticated`. */
export function exportAudit(
  audit: AuditLog,
  actor: Actor,
  filter: AuditFilter,
): AsyncIterable<NumberedEntry> {
  requireScope(actor, "audit:read");
  return audit.everything(filter);
}

function isDay(at: string): boolean {
  return !at.includes("T");
}
