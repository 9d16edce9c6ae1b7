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
}

/** An entry with its place in the log, counted up from 1. */
export interface NumberedEntry extends AuditEntry {
  number: number;
}

export interface AuditLog {
  /** Latest first, those before a number. */
  entries(options: { before?: number; limit: number }): Promise<NumberedEntry[]>;
}

/** A page of the audit log, latest first. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function readAudit(
  audit: AuditLog,
  actor: Actor,
  options: { before?: number; limit: number },
): Promise<NumberedEntry[]> {
  requireScope(actor, "audit:read");
  return await audit.entries(options);
}
