-- Tells a site from all others, so that one is never taken for another. New sites get theirs when they
-- are made.
INSERT INTO settings (name, value)
  SELECT 'site_id', lower(hex(randomblob(16))) FROM settings WHERE name = 'site';
