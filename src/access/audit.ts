import { type Actor, requireScope } from "./actor.ts";

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
  /** ISO 8601, UTC; at or after. */
  since?: string;
  /** Before. */
  until?: string;
}

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
