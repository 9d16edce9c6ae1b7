import type { Generated } from "kysely";
import type { Status } from "../../content/item.ts";

/** The tables of the record, the same in every engine. */
export interface RecordTables {
  items: ItemRow;
  path_claims: PathClaimRow;
  relations: RelationRow;
  revisions: RevisionRow;
  audit: AuditRow;
  keys: KeyRow;
  rate_windows: { key_id: string; accepted_at: string };
  settings: { name: string; value: string };
}

export interface ItemRow {
  id: string;
  type: string;
  path: string;
  title: string;
  summary: string;
  body: string;
  /** JSON. */
  fields: string;
  language: string;
  translation_of: string | null;
  status: Status;
  publish_at: string | null;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  revision: number;
  source_key: string | null;
}

export interface PathClaimRow {
  path: string;
  item_id: string;
  is_current: 0 | 1;
  was_public: 0 | 1;
}

export interface RelationRow {
  from_id: string;
  relation: string;
  position: number;
  to_id: string;
  note: string | null;
}

export interface RevisionRow {
  item_id: string;
  revision: number;
  at: string;
  actor: string;
  action: string;
  /** JSON of the whole item. */
  item: string;
}

export interface AuditRow {
  number: Generated<number>;
  at: string;
  actor: string;
  action: string;
  target: string;
  revision_before: number | null;
  revision_after: number | null;
  request_id: string | null;
}

export interface KeyRow {
  id: string;
  hash: string;
  name: string;
  owner: string;
  contact: string;
  purpose: string;
  /** JSON list. */
  scopes: string;
  rate_per_minute: number;
  /** JSON list. */
  networks: string;
  expires_at: string | null;
  created_at: string;
  created_by: string;
  last_used_at: string | null;
  revoked_at: string | null;
  revoked_why: string | null;
  rotated_from: string | null;
}
