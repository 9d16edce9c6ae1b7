CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  description TEXT NOT NULL,
  state TEXT NOT NULL,
  disabled_why TEXT,
  -- Readable, because it signs.
  secret TEXT NOT NULL,
  former_secret TEXT,
  former_secret_until TEXT,
  -- The entry of the audit log up to which deliveries were made.
  position INTEGER NOT NULL,
  failing_since TEXT,
  failures INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  message_id TEXT NOT NULL,
  event TEXT NOT NULL,
  audit_number INTEGER,
  item_id TEXT,
  created_at TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at TEXT NOT NULL,
  claimed_until TEXT,
  attempts INTEGER NOT NULL,
  last_at TEXT,
  status INTEGER,
  milliseconds INTEGER,
  error TEXT
) STRICT;
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, number);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_at) WHERE state = 'waiting';
