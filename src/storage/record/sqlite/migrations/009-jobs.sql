-- What is taken in and out in the background. The files are in the folder jobs/, named by the id.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  -- JSON of whoever asked, with what they may do.
  actor TEXT NOT NULL,
  -- JSON.
  options TEXT NOT NULL,
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  -- JSON.
  report TEXT,
  error TEXT,
  is_to_stop INTEGER NOT NULL,
  claimed_until TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  started_at TEXT,
  ended_at TEXT
) STRICT;
CREATE INDEX jobs_open ON jobs (created_at) WHERE ended_at IS NULL;
