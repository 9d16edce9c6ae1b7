import type { Generated } from "kysely";
import type { KeyRequestState } from "../../access/submissions/key-requests.ts";
import type { MessageState } from "../../access/submissions/messages.ts";
import type { Status } from "../../content/items/item.ts";
import type { MailState } from "../../mail/outbox.ts";
import type {
  AdminCodeRow,
  AdminRow,
  SecondFactorRow,
  SessionRow,
  SignInAttemptRow,
} from "./access/people-rows.ts";

/** The tables of the record, the same in every engine. */
export interface RecordTables {
  items: ItemRow;
  path_claims: PathClaimRow;
  relations: RelationRow;
  redirects: RedirectRow;
  revisions: RevisionRow;
  audit: AuditRow;
  keys: KeyRow;
  media: MediumRow;
  media_uses: { item_id: string; medium_id: string };
  media_removed: { id: string; type: string };
  kept_answers: { name: string; fingerprint: string; sealed: string; kept_at: string };
  key_requests: KeyRequestRow;
  messages: MessageRow;
  mails: MailRow;
  key_state: { version: number };
  accepted_requests: { until: number; key_id: string; count: number };
  webhooks: WebhookRow;
  jobs: JobRow;
  webhook_deliveries: WebhookDeliveryRow;
  drafts: DraftRow;
  draft_versions: {
    draft_id: string;
    version: number;
    base_revision: number | null;
    parts: string;
  };
  settings: { name: string; value: string };
  key_use: { key_id: string; day: string; tool: string; count: number };
  searches: SearchRow;
  search_days: { day: string; source: string; searches: number; without_result: number };
  admins: AdminRow;
  sessions: SessionRow;
  admin_codes: AdminCodeRow;
  second_factors: SecondFactorRow;
  sign_in_attempts: SignInAttemptRow;
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
  /** See `record-hashes.ts`; null: written before hashes existed. */
  outline_hash: number | null;
  hash: number | null;
}

export interface DraftRow {
  id: string;
  type: string;
  item_id: string | null;
  base_revision: number | null;
  version: number;
  /** JSON by part. */
  parts: string;
  title: string | null;
  /** JSON list. */
  editors: string;
  publish_at: string | null;
  problem: string | null;
  created_at: string;
  updated_at: string;
  hash: number;
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
  hash: number | null;
}

/** One of `item_id` and `to_path` is given. */
export interface RedirectRow {
  id: string;
  path: string;
  item_id: string | null;
  to_path: string | null;
  displaced_id: string | null;
  created_at: string;
  created_by: string;
}

export interface RevisionRow {
  item_id: string;
  revision: number;
  at: string;
  actor: string;
  action: string;
  /** JSON of the whole item. */
  item: string;
  hash: number | null;
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
  detail: string | null;
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
  /** JSON list. */
  tools: string;
  reminded_at: string | null;
}

export interface WebhookRow {
  id: string;
  url: string;
  /** JSON list. */
  events: string;
  description: string;
  state: "enabled" | "disabled";
  disabled_why: string | null;
  secret: string;
  former_secret: string | null;
  former_secret_until: string | null;
  position: number;
  failing_since: string | null;
  failures: number;
  created_at: string;
  created_by: string;
  updated_at: string;
}

export interface WebhookDeliveryRow {
  number: Generated<number>;
  webhook_id: string;
  message_id: string;
  event: string;
  audit_number: number | null;
  item_id: string | null;
  created_at: string;
  state: "waiting" | "delivered" | "failed";
  due_at: string;
  claimed_until: string | null;
  attempts: number;
  last_at: string | null;
  status: number | null;
  milliseconds: number | null;
  error: string | null;
}

export interface MediumRow {
  id: string;
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  name: string;
  alt: string;
  credit: string;
  added_by: string;
  added_at: string;
  updated_at: string;
  revision: number;
}

export interface SearchRow {
  number: Generated<number>;
  day: string;
  source: string;
  query: string;
  count: number;
  hits: number;
}

export interface KeyRequestRow {
  id: string;
  state: KeyRequestState;
  name: string;
  email: string;
  organisation: string;
  task: string;
  data: string;
  access: "read" | "write";
  received_at: string;
  changed_at: string;
  revision: number;
  decided_at: string | null;
  decided_by: string | null;
  note: string;
  reason: string | null;
  /** JSON. */
  terms: string | null;
  code_hash: string | null;
  code_expires_at: string | null;
  key_id: string | null;
  claimed_at: string | null;
  erased_at: string | null;
}

export interface MessageRow {
  id: string;
  state: MessageState;
  name: string;
  email: string;
  text: string;
  received_at: string;
  changed_at: string;
  revision: number;
  handled_by: string | null;
}

export interface MailRow {
  id: string;
  kind: MailState["kind"];
  about: string;
  recipient: string;
  reply_to_name: string | null;
  reply_to_email: string | null;
  subject: string;
  text: string;
  state: MailState["state"];
  attempts: number;
  created_at: string;
  sent_at: string | null;
  next_attempt_at: string | null;
  fault: string | null;
}

export interface JobRow {
  id: string;
  kind: "import" | "export";
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  /** JSON. */
  actor: string;
  options: string;
  done: number;
  total: number;
  report: string | null;
  error: string | null;
  is_to_stop: 0 | 1;
  claimed_until: string | null;
  created_at: string;
  created_by: string;
  started_at: string | null;
  ended_at: string | null;
}
