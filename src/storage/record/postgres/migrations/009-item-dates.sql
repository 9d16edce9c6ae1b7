-- Apart from the hashes of the row, which instances of the version before go on writing.
ALTER TABLE items ADD COLUMN expire_at text COLLATE "C";
ALTER TABLE items ADD COLUMN review_at text COLLATE "C";
ALTER TABLE items ADD COLUMN dates_hash integer;
CREATE INDEX items_expiring ON items (expire_at) WHERE expire_at IS NOT NULL;
CREATE INDEX items_to_review ON items (review_at) WHERE review_at IS NOT NULL;
