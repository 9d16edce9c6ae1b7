-- JSON list of the tools a key may call; empty: all.
ALTER TABLE keys ADD COLUMN tools TEXT NOT NULL DEFAULT '[]';
-- When its holder was reminded of its end.
ALTER TABLE keys ADD COLUMN reminded_at TEXT;
