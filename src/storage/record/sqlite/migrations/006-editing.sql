-- Addresses of a former site that administrators lead to a page of this one. With an item_id the path
-- is also claimed for that item, so that it follows the item; otherwise it leads to to_path. Without
-- the redirect the path belongs to displaced_id, an item that was deleted.
CREATE TABLE redirects (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  item_id TEXT REFERENCES items (id),
  to_path TEXT,
  displaced_id TEXT REFERENCES items (id),
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX redirects_item ON redirects (item_id);

-- Editors list and find items in every status. What is looked for in titles and paths, and what is
-- counted by status, is read off an index, not off the items with their texts.
CREATE INDEX items_updated ON items (updated_at, id);
CREATE INDEX items_status ON items (status, updated_at, id);
CREATE INDEX items_title ON items (title, id, path, status);
CREATE INDEX items_path ON items (path, id);
CREATE INDEX items_translation ON items (translation_of) WHERE translation_of IS NOT NULL;
-- One that was wiped has no revisions left.
CREATE INDEX items_deleted ON items (updated_at) WHERE status = 'deleted' AND revision > 0;

-- Counted by type and status; serves every question for a type as well.
CREATE INDEX items_type_status ON items (type, status);
DROP INDEX items_type;
