-- Credentials with which devices and password managers sign people in (WebAuthn).
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  admin_id TEXT NOT NULL REFERENCES admins (id),
  name TEXT NOT NULL,
  -- Base64url, like the key.
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  -- Signatures as the device counts them; 0: it does not.
  counter INTEGER NOT NULL,
  is_backed_up INTEGER NOT NULL,
  -- The host it was made for.
  host TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX passkeys_by_admin ON passkeys (admin_id);

-- Challenges that wait for their response, by the hash of what the browser keeps.
CREATE TABLE passkey_challenges (
  hash TEXT PRIMARY KEY,
  -- Null: of a sign-in; otherwise who adds a passkey.
  admin_id TEXT REFERENCES admins (id),
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);
