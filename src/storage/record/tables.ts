import type { Generated } from "kysely";
import type { KeyRequestState } from "../../access/submissions/key-requests.ts";
import type { MessageState } from "../../access/submissions/messages.ts";
import type { Status } from "../../content/items/item.ts";
import type {
  AdminCodeRow,
  AdminRow,
  DigestRow,
  PasskeyChallengeRow,
  PasskeyRow,
  SecondFactorRow,
  SessionRow,
  SignInAttemptRow,
} from "./access/people/people-rows.ts";
import type { MediaFileRow, RemovedMediaFileRow } from "./content/media-file-row.ts";
import type {
  JobRow,
  LinkRow,
  MailRow,
  WebhookDeliveryRow,
  WebhookRow,
} from "./queues/queue-rows.ts";

/** The tables of the record, the same in every engine. */
export interface RecordTables {
  items: ItemRow;
  path_claims: PathClaimRow;
  relations: RelationRow;
  redirects: RedirectRow;
  revisions: RevisionRow;
  import_bases: { item_id: string; revision: number; stated: string | null };
  audit: AuditRow;
  keys: KeyRow;
  media: MediaFileRow;
  media_uses: { item_id: string; medium_id: string };
  media_removed: RemovedMediaFileRow;
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
  preview_codes: PreviewCodeRow;
  draft_notes: DraftNoteRow;
  draft_media: { draft_id: string; medium_id: string };
  presence: { draft_id: string; actor: string; name: string; seen_at: string };
  draft_versions: {
    draft_id: string;
    version: number;
    base_revision: number | null;
    parts: string;
  };
  /** The hash is null in rows that are not checked for damage, such as secrets. */
  settings: { name: string; value: string; hash: Generated<number | null> };
  key_use: { key_id: string; day: string; tool: string; count: number };
  searches: SearchCountRow;
  search_days: { day: string; source: string; searches: number; without_result: number };
  links: LinkRow;
  link_hosts: { host: string; next_at: string; free_at: string };
  link_uses: { item_id: string; url: string; round: string };
  views: { day: string; kind: string; path: string; count: number };
  admins: AdminRow;
  sessions: SessionRow;
  admin_codes: AdminCodeRow;
  second_factors: SecondFactorRow;
  passkeys: PasskeyRow;
  passkey_challenges: PasskeyChallengeRow;
  digests: DigestRow;
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
  expire_at: string | null;
  review_at: string | null;
  /** See `record-hashes.ts`; null: the item was written before hashes existed, or purged. */
  outline_hash: number | null;
  hash: number | null;
  dates_hash: number | null;
}

export interface DraftRow {
  id: string;
  type: string;
  item_id: string | null;
  base_revision: number | null;
  version: number;
  /** JSON: the value of each part of the item that the draft changes. */
  parts: string;
  title: string | null;
  /** JSON list. */
  editors: string;
  publish_at: string | null;
  problem: string | null;
  /**
   * JSON: an object whose key is the English text in `problem`, and whose value has the German text and the
   * details of the problem. The hash does not cover this column: earlier versions lack the column and must
   * compute the same hash.
   */
  german: string | null;
  /** Who asks for a review, or null. The hash covers neither this column nor the next two. */
  asked_by: string | null;
  asked_at: string | null;
  asked_note: string | null;
  created_at: string;
  updated_at: string;
  hash: number;
}

export interface PreviewCodeRow {
  id: string;
  hash: string;
  draft_id: string;
  note: string;
  created_at: string;
  created_by: string;
  expires_at: string;
  used_at: string | null;
}

export interface DraftNoteRow {
  id: string;
  draft_id: string;
  text: string;
  created_at: string;
  created_by: string;
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

/**
 * Either `item_id` or `to_path` is null. `to_path` is a path, a URL on another site, or empty if the
 * address is gone.
 */
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

export interface SearchCountRow {
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
