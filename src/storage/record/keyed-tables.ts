import type { RecordTables } from "./tables.ts";

export interface KeyedTable {
  name: keyof RecordTables;
  /** Columns that identify a row, in sort order; empty if the table has only one row. */
  key: readonly string[];
  /** Columns whose value can exceed a megabyte. */
  large: readonly string[];
}

/**
 * Key columns of every table of the record, in the order of copying. `key_state` comes last because triggers
 * change it while other tables are copied.
 */
const PRIMARY_KEYS: Readonly<Record<keyof RecordTables, readonly string[]>> = {
  settings: ["name"],
  admins: ["id"],
  sessions: ["id"],
  admin_codes: ["id"],
  second_factors: ["admin_id"],
  passkeys: ["id"],
  passkey_challenges: ["hash"],
  digests: ["admin_id"],
  sign_in_attempts: ["id"],
  keys: ["id"],
  items: ["id"],
  path_claims: ["path"],
  relations: ["from_id", "relation", "position"],
  redirects: ["id"],
  revisions: ["item_id", "revision"],
  import_bases: ["item_id"],
  drafts: ["id"],
  draft_versions: ["draft_id", "version"],
  preview_codes: ["id"],
  draft_notes: ["id"],
  draft_media: ["medium_id", "draft_id"],
  presence: ["draft_id", "actor"],
  media: ["id"],
  media_uses: ["item_id", "medium_id"],
  media_removed: ["id"],
  key_requests: ["id"],
  messages: ["id"],
  mails: ["id"],
  webhooks: ["id"],
  webhook_deliveries: ["number"],
  jobs: ["id"],
  audit: ["number"],
  key_use: ["key_id", "day", "tool"],
  searches: ["number"],
  search_days: ["day", "source"],
  views: ["day", "kind", "path"],
  links: ["url"],
  link_hosts: ["host"],
  link_uses: ["item_id", "url"],
  kept_answers: ["name"],
  accepted_requests: ["until", "key_id"],
  key_state: [],
};

const LARGE_COLUMNS: Readonly<Partial<Record<keyof RecordTables, readonly string[]>>> = {
  items: ["body", "fields"],
  revisions: ["item"],
  import_bases: ["stated"],
  drafts: ["parts", "german"],
  draft_versions: ["parts"],
  jobs: ["report", "german"],
  kept_answers: ["sealed"],
};

/** Audit entries are never deleted, so the highest number shows whether a store has ever been used. */
export const AUDIT_TABLE: KeyedTable = { name: "audit", key: PRIMARY_KEYS.audit, large: [] };

export const KEYED_TABLES: readonly KeyedTable[] = Object.keys(PRIMARY_KEYS)
  .filter(isTable)
  .map((name) => ({ name, key: PRIMARY_KEYS[name], large: LARGE_COLUMNS[name] ?? [] }));

/** Whether the engine assigns the table's keys from a sequence. */
export function hasSequenceKey({ key }: KeyedTable): boolean {
  return key.length === 1 && key[0] === "number";
}

function isTable(name: string): name is keyof RecordTables {
  return Object.hasOwn(PRIMARY_KEYS, name);
}
