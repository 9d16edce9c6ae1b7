CREATE TABLE presence (
  draft_id text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  seen_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (draft_id, actor)
);
