import type { Generated } from "kysely";
import type { MailDeliveryState } from "../../../mail/outbox.ts";

export interface LinkRow {
  url: string;
  host: string;
  state: string;
  status: number | null;
  target: string | null;
  fault: string | null;
  failures: number;
  checked_at: string | null;
  due_at: string;
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

export interface MailRow {
  id: string;
  kind: MailDeliveryState["kind"];
  about: string;
  recipient: string;
  reply_to_name: string | null;
  reply_to_email: string | null;
  subject: string;
  text: string;
  state: MailDeliveryState["state"];
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
  /** JSON: the German texts of the report and the error, by their English texts. */
  german: string | null;
  is_to_stop: 0 | 1;
  interruptions: number;
  claimed_until: string | null;
  created_at: string;
  created_by: string;
  started_at: string | null;
  ended_at: string | null;
}
