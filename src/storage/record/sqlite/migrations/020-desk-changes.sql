-- The number of the last change of each item and of each draft of a new item, in the order of the
-- commits: what the desk's index has not read yet.
CREATE TABLE desk_changes (
  item_id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE TRIGGER desk_item_added AFTER INSERT ON items BEGIN
  INSERT OR REPLACE INTO desk_changes SELECT new.id, coalesce(max(number), 0) + 1 FROM desk_changes;
END;
CREATE TRIGGER desk_item_changed AFTER UPDATE ON items BEGIN
  INSERT OR REPLACE INTO desk_changes SELECT new.id, coalesce(max(number), 0) + 1 FROM desk_changes;
END;
CREATE TRIGGER desk_draft_added AFTER INSERT ON drafts BEGIN
  INSERT OR REPLACE INTO desk_changes
  SELECT coalesce(new.item_id, new.id), coalesce(max(number), 0) + 1 FROM desk_changes;
END;
CREATE TRIGGER desk_draft_changed AFTER UPDATE ON drafts BEGIN
  INSERT OR REPLACE INTO desk_changes
  SELECT coalesce(new.item_id, new.id), coalesce(max(number), 0) + 1 FROM desk_changes;
END;
CREATE TRIGGER desk_draft_removed AFTER DELETE ON drafts BEGIN
  INSERT OR REPLACE INTO desk_changes
  SELECT coalesce(old.item_id, old.id), coalesce(max(number), 0) + 1 FROM desk_changes;
END;
