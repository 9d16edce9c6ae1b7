-- Credentials with which devices and password managers sign people in (WebAuthn).
CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  admin_id text COLLATE "C" NOT NULL REFERENCES admins (id),
  name text COLLATE "C" NOT NULL,
  -- Base64url, like the key.
  credential_id text COLLATE "C" NOT NULL UNIQUE,
  public_key text COLLATE "C" NOT NULL,
  -- Signatures as the device counts them; 0: it does not.
  counter bigint NOT NULL,
  is_backed_up smallint NOT NULL,
  -- The host it was made for.
  host text COLLATE "C" NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  used_at text COLLATE "C"
);
CREATE INDEX passkeys_by_admin ON passkeys (admin_id);

-- Challenges that wait for their response, by the hash of what the browser keeps.
CREATE TABLE passkey_challenges (
  hash text COLLATE "C" PRIMARY KEY,
  -- Null: of a sign-in; otherwise who adds a passkey.
  admin_id text COLLATE "C" REFERENCES admins (id),
  expires_at text COLLATE "C" NOT NULL
);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);
