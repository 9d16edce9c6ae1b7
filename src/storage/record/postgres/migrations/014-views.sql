-- How often each path was answered on each day (UTC); who asked is told nowhere. The row with an empty
-- path counts all of its kind.
CREATE TABLE views (
  day text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (day, kind, path)
);
