CREATE TABLE preview_codes (
  id text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE,
  draft_id text COLLATE "C" NOT NULL,
  note text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C" NOT NULL,
  used_at text COLLATE "C"
);
CREATE INDEX preview_codes_by_draft ON preview_codes (draft_id, id);
