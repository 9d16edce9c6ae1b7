-- Apart from the hashes of the row, which do not change so.
ALTER TABLE items ADD COLUMN expire_at TEXT;
ALTER TABLE items ADD COLUMN review_at TEXT;
ALTER TABLE items ADD COLUMN dates_hash INTEGER;
CREATE INDEX items_expiring ON items (expire_at) WHERE expire_at IS NOT NULL;
CREATE INDEX items_to_review ON items (review_at) WHERE review_at IS NOT NULL;
