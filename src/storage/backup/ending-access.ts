import { DatabaseSync } from "node:sqlite";

/**
 * Statements that revoke access, keyed by table. Without these statements, a backup could restore access
 * that has ended since the backup: a session on a stolen computer, or a code that was used or revoked.
 */
const ENDING_STATEMENTS: Readonly<Record<string, string>> = {
  sessions: "DELETE FROM sessions",
  admin_codes: "DELETE FROM admin_codes",
  passkey_challenges: "DELETE FROM passkey_challenges",
  preview_codes: "DELETE FROM preview_codes",
  key_requests: `UPDATE key_requests SET state = 'expired', code_hash = NULL, code_expires_at = NULL
    WHERE code_hash IS NOT NULL`,
  mails: `UPDATE mails SET state = 'given_up', text = '', next_attempt_at = NULL,
    fault = 'A backup was restored, and the code in this mail no longer works'
    WHERE state = 'waiting' AND kind IN ('admin-code', 'key-approved')`,
};

/**
 * Ends all sessions and codes in a store that is about to be restored, and deletes unsent mails
 * with codes. The store may be from an earlier version.
 */
export function endSessionsAndCodes(file: string): void {
  using db = new DatabaseSync(file);
  const existing = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const tables = new Set(existing.map(({ name }) => String(name)));
  db.exec("BEGIN IMMEDIATE");
  for (const [table, sql] of Object.entries(ENDING_STATEMENTS)) if (tables.has(table)) db.exec(sql);
  db.exec("COMMIT");
}
