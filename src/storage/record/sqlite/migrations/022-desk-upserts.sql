-- Within an upsert, INSERT OR REPLACE of a trigger fails where it should replace.
DROP TRIGGER desk_item_added;
CREATE TRIGGER desk_item_added AFTER INSERT ON items BEGIN
  INSERT INTO desk_changes SELECT new.id, coalesce(max(number), 0) + 1 FROM desk_changes WHERE true
  ON CONFLICT (item_id) DO UPDATE SET number = excluded.number;
END;
DROP TRIGGER desk_item_changed;
CREATE TRIGGER desk_item_changed AFTER UPDATE ON items BEGIN
  INSERT INTO desk_changes SELECT new.id, coalesce(max(number), 0) + 1 FROM desk_changes WHERE true
  ON CONFLICT (item_id) DO UPDATE SET number = excluded.number;
END;
DROP TRIGGER desk_draft_added;
CREATE TRIGGER desk_draft_added AFTER INSERT ON drafts BEGIN
  INSERT INTO desk_changes SELECT coalesce(new.item_id, new.id), coalesce(max(number), 0) + 1 FROM desk_changes WHERE true
  ON CONFLICT (item_id) DO UPDATE SET number = excluded.number;
END;
DROP TRIGGER desk_draft_changed;
CREATE TRIGGER desk_draft_changed AFTER UPDATE ON drafts BEGIN
  INSERT INTO desk_changes SELECT coalesce(new.item_id, new.id), coalesce(max(number), 0) + 1 FROM desk_changes WHERE true
  ON CONFLICT (item_id) DO UPDATE SET number = excluded.number;
END;
DROP TRIGGER desk_draft_removed;
CREATE TRIGGER desk_draft_removed AFTER DELETE ON drafts BEGIN
  INSERT INTO desk_changes SELECT coalesce(old.item_id, old.id), coalesce(max(number), 0) + 1 FROM desk_changes WHERE true
  ON CONFLICT (item_id) DO UPDATE SET number = excluded.number;
END;
