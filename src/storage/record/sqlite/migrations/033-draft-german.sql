-- The German text of the problem by the English one, as JSON.
ALTER TABLE drafts ADD COLUMN german TEXT;
