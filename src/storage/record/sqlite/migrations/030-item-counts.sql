-- Items by type, status and language, and all of them (''). Every fact is written twice and changed
-- twice, so that one altered copy differs from the other: name repeats the key, less is -items.
CREATE TABLE item_counts (
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  language TEXT NOT NULL,
  name TEXT NOT NULL,
  items INTEGER NOT NULL,
  less INTEGER NOT NULL,
  PRIMARY KEY (type, status, language)
) STRICT, WITHOUT ROWID;
INSERT INTO item_counts
SELECT type, status, language, type || ' ' || status || ' ' || language, count(*), -count(*)
FROM items GROUP BY type, status, language
UNION ALL SELECT '', '', '', '  ', count(*), -count(*) FROM items;

CREATE TRIGGER count_item_added AFTER INSERT ON items BEGIN
  INSERT INTO item_counts VALUES (new.type, new.status, new.language,
    new.type || ' ' || new.status || ' ' || new.language, 1, -1), ('', '', '', '  ', 1, -1)
  ON CONFLICT (type, status, language) DO UPDATE SET items = items + 1, less = less - 1;
END;
CREATE TRIGGER count_item_changed AFTER UPDATE OF type, status, language ON items
WHEN (new.type, new.status, new.language) IS NOT (old.type, old.status, old.language) BEGIN
  INSERT INTO item_counts VALUES (new.type, new.status, new.language,
    new.type || ' ' || new.status || ' ' || new.language, 1, -1)
  ON CONFLICT (type, status, language) DO UPDATE SET items = items + 1, less = less - 1;
  UPDATE item_counts SET items = items - 1, less = less + 1
  WHERE (type, status, language) = (old.type, old.status, old.language);
  DELETE FROM item_counts WHERE items = 0 AND less = 0 AND type <> '';
END;
CREATE TRIGGER count_item_removed AFTER DELETE ON items BEGIN
  UPDATE item_counts SET items = items - 1, less = less + 1
  WHERE (type, status, language) IN (VALUES (old.type, old.status, old.language), ('', '', ''));
  DELETE FROM item_counts WHERE items = 0 AND less = 0 AND type <> '';
END;

-- The site and its declared types. Null: written before there was a hash, or by a version without.
ALTER TABLE settings ADD COLUMN hash INTEGER;
UPDATE settings SET hash = row_hash(name, value) WHERE name IN ('site', 'types');
CREATE TRIGGER setting_changed AFTER UPDATE OF value ON settings
WHEN new.hash IS old.hash AND new.value IS NOT old.value BEGIN
  UPDATE settings SET hash = NULL WHERE name = new.name;
END;
