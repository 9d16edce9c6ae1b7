-- Editors list the items of a type by their last change or by title.
CREATE INDEX items_type_updated ON items (type, updated_at, id);
CREATE INDEX items_type_title ON items (type, title, id);
