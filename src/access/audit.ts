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
