-- Tells a site from all others, so that one is never taken for another. New sites get theirs when they
-- are made. The record's own id serves for one that has none, so that a dump restored twice is still
-- the same site.
INSERT INTO settings (name, value)
  SELECT 'site_id', record_id FROM change_state
  WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'site');
