-- Whether a person gets the mail about waiting work; without a row: yes.
CREATE TABLE digests (
  admin_id TEXT PRIMARY KEY REFERENCES admins (id),
  is_on INTEGER NOT NULL,
  -- Of the pages at the last sign-in.
  language TEXT NOT NULL,
  -- Until when work was looked at for the last mail.
  looked_at TEXT
) STRICT;
