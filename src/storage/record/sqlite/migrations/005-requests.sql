-- Who asked for a key. With a claim code out its hash is here until the code is used or of no use.
CREATE TABLE key_requests (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  organisation TEXT NOT NULL,
  task TEXT NOT NULL,
  data TEXT NOT NULL,
  access TEXT NOT NULL,
  received_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  decided_at TEXT,
  decided_by TEXT,
  note TEXT NOT NULL,
  reason TEXT,
  terms TEXT,
  code_hash TEXT UNIQUE,
  code_expires_at TEXT,
  key_id TEXT REFERENCES keys (id),
  claimed_at TEXT,
  erased_at TEXT
) STRICT;
CREATE INDEX key_requests_state ON key_requests (state, id);
CREATE INDEX key_requests_code ON key_requests (code_expires_at) WHERE code_expires_at IS NOT NULL;
CREATE INDEX key_requests_kept ON key_requests (changed_at) WHERE erased_at IS NULL;

-- What visitors wrote to the editors.
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  text TEXT NOT NULL,
  received_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  handled_by TEXT
) STRICT;
CREATE INDEX messages_state ON messages (state, id);
CREATE INDEX messages_kept ON messages (changed_at);

-- Mails to be sent, and what became of them. The text is empty once it is needed no more.
CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  recipient TEXT NOT NULL,
  reply_to_name TEXT,
  reply_to_email TEXT,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  next_attempt_at TEXT,
  fault TEXT
) STRICT;
CREATE INDEX mails_about ON mails (about);
CREATE INDEX mails_due ON mails (state, next_attempt_at);
