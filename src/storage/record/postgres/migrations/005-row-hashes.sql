-- Filled when a row is written. Null: written before there were hashes.
ALTER TABLE items ADD COLUMN outline_hash integer, ADD COLUMN hash integer;
ALTER TABLE relations ADD COLUMN hash integer;
ALTER TABLE revisions ADD COLUMN hash integer;
