-- Files the site publishes; the bytes are in the folder media/, named by the id.
CREATE TABLE media (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  name TEXT NOT NULL,
  alt TEXT NOT NULL,
  credit TEXT NOT NULL,
  added_by TEXT NOT NULL,
  added_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX media_added ON media (added_at, id);

-- Which items name a file in their texts, also one that is not there.
CREATE TABLE media_uses (
  item_id TEXT NOT NULL REFERENCES items (id),
  medium_id TEXT NOT NULL,
  PRIMARY KEY (item_id, medium_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_uses_medium ON media_uses (medium_id);

-- Files withdrawn, until the clock has taken them from the folder.
CREATE TABLE media_removed (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL
) STRICT;
