CREATE TABLE preview_codes (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  draft_id TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX preview_codes_by_draft ON preview_codes (draft_id, id);
