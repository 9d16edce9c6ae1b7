CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  item_id TEXT UNIQUE REFERENCES items (id),
  base_revision INTEGER,
  version INTEGER NOT NULL,
  parts TEXT NOT NULL,
  title TEXT,
  editors TEXT NOT NULL,
  publish_at TEXT,
  problem TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  hash INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_change ON drafts (updated_at, id);
CREATE INDEX drafts_due ON drafts (publish_at) WHERE publish_at IS NOT NULL;
-- The latest states, from which two people's changes are merged.
CREATE TABLE draft_versions (
  draft_id TEXT NOT NULL REFERENCES drafts (id),
  version INTEGER NOT NULL,
  base_revision INTEGER,
  parts TEXT NOT NULL,
  PRIMARY KEY (draft_id, version)
) STRICT;
