-- Who asks for a review of the draft, since when, and what to look at; null: nobody.
ALTER TABLE drafts ADD COLUMN asked_by TEXT;
ALTER TABLE drafts ADD COLUMN asked_at TEXT;
ALTER TABLE drafts ADD COLUMN asked_note TEXT;
