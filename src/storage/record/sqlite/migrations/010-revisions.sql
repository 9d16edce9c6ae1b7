-- Whole items are too large for the nodes of a table without rowid: most took a page of their own.
CREATE TABLE revisions_with_rowid (
  item_id TEXT NOT NULL REFERENCES items (id),
  revision INTEGER NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  item TEXT NOT NULL,
  UNIQUE (item_id, revision)
) STRICT;
INSERT INTO revisions_with_rowid SELECT * FROM revisions ORDER BY item_id, revision;
DROP TABLE revisions;
ALTER TABLE revisions_with_rowid RENAME TO revisions;
