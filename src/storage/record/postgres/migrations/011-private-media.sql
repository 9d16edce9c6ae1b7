-- A file is public while something public shows it, or if it is said to be public by itself. What was
-- public before stays so.
ALTER TABLE media ADD COLUMN always_public integer NOT NULL DEFAULT 0;
ALTER TABLE media ADD COLUMN decorative integer NOT NULL DEFAULT 0;
UPDATE media SET always_public = 1;
