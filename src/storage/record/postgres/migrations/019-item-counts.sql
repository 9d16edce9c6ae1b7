-- Items by type, status and language, and all of them (''). Every fact is written twice and changed
-- twice, so that one altered copy differs from the other: name repeats the key, less is -items.
-- Triggers also count what instances that run the version before write.
CREATE TABLE item_counts (
  type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  items integer NOT NULL,
  less integer NOT NULL,
  PRIMARY KEY (type, status, language)
);
INSERT INTO item_counts
SELECT type, status, language, type || ' ' || status || ' ' || language, count(*), -count(*)
FROM items GROUP BY type, status, language
UNION ALL SELECT '', '', '', '  ', count(*), -count(*) FROM items;

CREATE FUNCTION count_added_items() RETURNS trigger AS $$
BEGIN
  INSERT INTO item_counts AS counted
  SELECT type, status, language, type || ' ' || status || ' ' || language, count(*), -count(*)
  FROM added GROUP BY type, status, language
  UNION ALL SELECT '', '', '', '  ', count(*), -count(*) FROM added
  ON CONFLICT (type, status, language) DO UPDATE
  SET items = counted.items + excluded.items, less = counted.less + excluded.less;
  RETURN NULL;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER count_items_added AFTER INSERT ON items REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_items();

CREATE FUNCTION count_changed_items() RETURNS trigger AS $$
BEGIN
  INSERT INTO item_counts AS counted
  SELECT type, status, language, type || ' ' || status || ' ' || language, sum(more), -sum(more)
  FROM (SELECT type, status, language, 1 AS more FROM added
    UNION ALL SELECT type, status, language, -1 FROM removed) changed
  GROUP BY type, status, language HAVING sum(more) <> 0
  ON CONFLICT (type, status, language) DO UPDATE
  SET items = counted.items + excluded.items, less = counted.less + excluded.less;
  DELETE FROM item_counts WHERE items = 0 AND less = 0 AND type <> '';
  RETURN NULL;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER count_items_changed AFTER UPDATE ON items
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_items();

CREATE FUNCTION count_removed_items() RETURNS trigger AS $$
BEGIN
  INSERT INTO item_counts AS counted
  SELECT type, status, language, type || ' ' || status || ' ' || language, -count(*), count(*)
  FROM removed GROUP BY type, status, language
  UNION ALL SELECT '', '', '', '  ', -count(*), count(*) FROM removed
  ON CONFLICT (type, status, language) DO UPDATE
  SET items = counted.items + excluded.items, less = counted.less + excluded.less;
  DELETE FROM item_counts WHERE items = 0 AND less = 0 AND type <> '';
  RETURN NULL;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER count_items_removed AFTER DELETE ON items REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_items();

-- The site and its declared types. Null: written before there was a hash, or by a version without.
ALTER TABLE settings ADD COLUMN hash integer;
CREATE FUNCTION forget_setting_hash() RETURNS trigger AS $$
BEGIN
  IF new.hash IS NOT DISTINCT FROM old.hash AND new.value <> old.value THEN new.hash := NULL; END IF;
  RETURN new;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER setting_changed BEFORE UPDATE ON settings
  FOR EACH ROW EXECUTE FUNCTION forget_setting_hash();
