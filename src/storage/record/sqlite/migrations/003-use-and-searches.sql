-- What an entry changed, in words; never a secret.
ALTER TABLE audit ADD COLUMN detail TEXT;

-- How often each key did what on each day (UTC).
CREATE TABLE key_use (
  key_id TEXT NOT NULL,
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, tool)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_use_day ON key_use (day);

-- How often was searched on each day, whatever becomes of the texts.
CREATE TABLE search_days (
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  searches INTEGER NOT NULL,
  without_result INTEGER NOT NULL,
  PRIMARY KEY (day, source)
) STRICT, WITHOUT ROWID;

-- What was searched for; who searched is told nowhere.
CREATE TABLE searches (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  query TEXT NOT NULL,
  count INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  UNIQUE (day, source, query)
) STRICT;
