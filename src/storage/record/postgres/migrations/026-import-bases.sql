-- What the last import of each item stated: the base that the next one is merged with.
CREATE TABLE import_bases (
  item_id text COLLATE "C" PRIMARY KEY,
  -- Equals what was stated, unless `stated` has the parts.
  revision integer NOT NULL,
  stated text
);

-- Imports left no mark so far. What the operator or a key created and last changed counts as imported.
INSERT INTO import_bases (item_id, revision)
SELECT later.item_id, max(later.revision)
FROM revisions AS later
JOIN revisions AS first ON first.item_id = later.item_id AND first.revision = 1
WHERE later.actor = first.actor AND (first.actor = 'operator' OR first.actor LIKE 'key:%')
GROUP BY later.item_id;
