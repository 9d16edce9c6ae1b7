-- Times are ISO 8601 in UTC; JSON is kept as text.

CREATE TABLE items (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  body TEXT NOT NULL,
  fields TEXT NOT NULL,
  language TEXT NOT NULL,
  translation_of TEXT REFERENCES items (id),
  status TEXT NOT NULL,
  publish_at TEXT,
  published_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  source_key TEXT UNIQUE
) STRICT;
CREATE INDEX items_type ON items (type);
CREATE INDEX items_due ON items (publish_at) WHERE status = 'scheduled';

-- Every path an item stands at, or stood at in public; the latter lead to where it stands now.
CREATE TABLE path_claims (
  path TEXT PRIMARY KEY,
  item_id TEXT NOT NULL REFERENCES items (id),
  is_current INTEGER NOT NULL,
  was_public INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX path_claims_item ON path_claims (item_id);

CREATE TABLE relations (
  from_id TEXT NOT NULL REFERENCES items (id),
  relation TEXT NOT NULL,
  position INTEGER NOT NULL,
  to_id TEXT NOT NULL REFERENCES items (id),
  note TEXT,
  PRIMARY KEY (from_id, relation, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX relations_to ON relations (to_id);

CREATE TABLE revisions (
  item_id TEXT NOT NULL REFERENCES items (id),
  revision INTEGER NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  item TEXT NOT NULL,
  PRIMARY KEY (item_id, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  revision_before INTEGER,
  revision_after INTEGER,
  request_id TEXT
) STRICT;
CREATE TRIGGER audit_stays_as_written BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_stays_whole BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  contact TEXT NOT NULL,
  purpose TEXT NOT NULL,
  scopes TEXT NOT NULL,
  rate_per_minute INTEGER NOT NULL,
  networks TEXT NOT NULL,
  expires_at TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  revoked_why TEXT,
  rotated_from TEXT REFERENCES keys (id)
) STRICT;

-- When each key was used in the last minute, so that a restart grants no new window.
CREATE TABLE rate_windows (
  key_id TEXT PRIMARY KEY,
  accepted_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
