-- Of a session's token only the hash is stored.
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE,
  admin_id text COLLATE "C" NOT NULL REFERENCES admins (id),
  stage text COLLATE "C" NOT NULL,
  device text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  used_at text COLLATE "C" NOT NULL,
  confirmed_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C" NOT NULL
);
CREATE INDEX sessions_by_admin ON sessions (admin_id);

-- One-use codes of invitations and resets; without an account, the code that sets up the first one.
CREATE TABLE admin_codes (
  id text COLLATE "C" PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE,
  admin_id text COLLATE "C" UNIQUE REFERENCES admins (id),
  created_at text COLLATE "C" NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C" NOT NULL
);

CREATE TABLE second_factors (
  admin_id text COLLATE "C" PRIMARY KEY REFERENCES admins (id),
  -- Base32 (RFC 4648), readable because codes are computed from it.
  secret text COLLATE "C" NOT NULL,
  -- Null until the first code proves that the secret arrived.
  confirmed_at text COLLATE "C",
  -- The step of the last accepted code, which is not accepted again.
  last_step bigint NOT NULL,
  -- JSON list of the hashes of unused recovery codes.
  recovery_hashes text COLLATE "C" NOT NULL
);

-- Attempts that may be guesses. The subject is a hash, as people type passwords into the wrong field.
CREATE TABLE sign_in_attempts (
  id text COLLATE "C" PRIMARY KEY,
  at text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  network text COLLATE "C" NOT NULL
);
CREATE INDEX sign_in_attempts_by_subject ON sign_in_attempts (subject, at);
CREATE INDEX sign_in_attempts_by_network ON sign_in_attempts (network, at);
CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (at);
