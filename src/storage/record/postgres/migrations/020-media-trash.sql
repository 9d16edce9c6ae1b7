-- Withdrawn files can be restored for 30 days: what was known of one, as JSON, and whether the file
-- itself was moved to the trash. Null: withdrawn by a version before.
ALTER TABLE media_removed ADD COLUMN medium text;
ALTER TABLE media_removed ADD COLUMN removed_at text COLLATE "C";
ALTER TABLE media_removed ADD COLUMN in_trash integer NOT NULL DEFAULT 0;
