-- JSON list of the tools a key may call; empty: all.
ALTER TABLE keys ADD COLUMN tools text COLLATE "C" NOT NULL DEFAULT '[]',
  -- When its holder was reminded of its end.
  ADD COLUMN reminded_at text COLLATE "C";
