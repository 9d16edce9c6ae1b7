CREATE TABLE draft_notes (
  id TEXT PRIMARY KEY,
  draft_id TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX draft_notes_by_draft ON draft_notes (draft_id, id);
