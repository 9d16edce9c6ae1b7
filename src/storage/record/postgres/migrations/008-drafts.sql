CREATE TABLE drafts (
  id text COLLATE "C" PRIMARY KEY,
  type text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" UNIQUE REFERENCES items (id),
  base_revision integer,
  version integer NOT NULL,
  parts text COLLATE "C" NOT NULL,
  title text COLLATE "C",
  editors text COLLATE "C" NOT NULL,
  publish_at text COLLATE "C",
  problem text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  hash integer NOT NULL
);
CREATE INDEX drafts_by_change ON drafts (updated_at, id);
CREATE INDEX drafts_due ON drafts (publish_at) WHERE publish_at IS NOT NULL;
-- The latest states, from which two people's changes are merged.
CREATE TABLE draft_versions (
  draft_id text COLLATE "C" NOT NULL REFERENCES drafts (id),
  version integer NOT NULL,
  base_revision integer,
  parts text COLLATE "C" NOT NULL,
  PRIMARY KEY (draft_id, version)
);
