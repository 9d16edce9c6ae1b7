CREATE TABLE draft_notes (
  id text COLLATE "C" PRIMARY KEY,
  draft_id text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL
);
CREATE INDEX draft_notes_by_draft ON draft_notes (draft_id, id);
