-- How often each path was answered on each day (UTC); who asked is told nowhere. The row with an empty
-- path counts all of its kind.
CREATE TABLE views (
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, kind, path)
) STRICT, WITHOUT ROWID;
