CREATE TABLE presence (
  draft_id TEXT NOT NULL,
  actor TEXT NOT NULL,
  name TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  PRIMARY KEY (draft_id, actor)
) STRICT, WITHOUT ROWID;
