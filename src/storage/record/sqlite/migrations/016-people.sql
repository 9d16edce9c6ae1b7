-- Of a session's token only the hash is stored.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  admin_id TEXT NOT NULL REFERENCES admins (id),
  stage TEXT NOT NULL,
  device TEXT NOT NULL,
  network TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT NOT NULL,
  confirmed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_admin ON sessions (admin_id);

-- One-use codes of invitations and resets; without an account, the code that sets up the first one.
CREATE TABLE admin_codes (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  admin_id TEXT UNIQUE REFERENCES admins (id),
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;

CREATE TABLE second_factors (
  admin_id TEXT PRIMARY KEY REFERENCES admins (id),
  -- Base32 (RFC 4648), readable because codes are computed from it.
  secret TEXT NOT NULL,
  -- Null until the first code proves that the secret arrived.
  confirmed_at TEXT,
  -- The step of the last accepted code, which is not accepted again.
  last_step INTEGER NOT NULL,
  -- JSON list of the hashes of unused recovery codes.
  recovery_hashes TEXT NOT NULL
) STRICT;

-- Attempts that may be guesses. The subject is a hash, as people type passwords into the wrong field.
CREATE TABLE sign_in_attempts (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  subject TEXT NOT NULL,
  network TEXT NOT NULL
) STRICT;
CREATE INDEX sign_in_attempts_by_subject ON sign_in_attempts (subject, at);
CREATE INDEX sign_in_attempts_by_network ON sign_in_attempts (network, at);
CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (at);
