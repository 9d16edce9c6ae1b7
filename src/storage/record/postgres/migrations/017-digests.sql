-- Whether a person gets the mail about waiting work; without a row: yes.
CREATE TABLE digests (
  admin_id text COLLATE "C" PRIMARY KEY REFERENCES admins (id),
  is_on smallint NOT NULL,
  -- Of the pages at the last sign-in.
  language text COLLATE "C" NOT NULL,
  -- Until when work was looked at for the last mail.
  looked_at text COLLATE "C"
);
