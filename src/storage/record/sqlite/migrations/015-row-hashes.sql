-- row_hash is a function of the program (src/storage/row-hash.ts). Null: written before there were hashes.
ALTER TABLE items ADD COLUMN outline_hash INTEGER;
ALTER TABLE items ADD COLUMN hash INTEGER;
ALTER TABLE relations ADD COLUMN hash INTEGER;
ALTER TABLE revisions ADD COLUMN hash INTEGER;
UPDATE items SET
  outline_hash = row_hash(id, type, path, title, summary, language, translation_of, status,
    publish_at, published_at, created_at, updated_at, revision, source_key),
  hash = row_hash(id, type, path, title, summary, language, translation_of, status,
    publish_at, published_at, created_at, updated_at, revision, source_key, body, fields);
UPDATE relations SET hash = row_hash(from_id, relation, position, to_id, note);
UPDATE revisions SET hash = row_hash(item_id, revision, at, actor, action, item);
