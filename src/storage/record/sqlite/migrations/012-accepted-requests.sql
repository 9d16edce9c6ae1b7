-- In the place of windows that were written whole at every change.
CREATE TABLE accepted_requests (
  until INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (until, key_id)
) STRICT, WITHOUT ROWID;

INSERT INTO accepted_requests (until, key_id, count)
  SELECT CAST(moment.value AS INTEGER), key_id, count(*)
  FROM rate_windows, json_each(accepted_at) moment
  GROUP BY 1, 2;

DROP TABLE rate_windows;

-- Raised with every change of a key but its use, so that keys may be remembered until then.
CREATE TABLE key_state (version INTEGER NOT NULL) STRICT;
INSERT INTO key_state VALUES (0);

CREATE TRIGGER key_added AFTER INSERT ON keys BEGIN
  UPDATE key_state SET version = version + 1;
END;

CREATE TRIGGER key_changed AFTER UPDATE OF id, hash, name, owner, contact, purpose, scopes,
  rate_per_minute, networks, expires_at, revoked_at, revoked_why, rotated_from ON keys
BEGIN
  UPDATE key_state SET version = version + 1;
END;

CREATE TRIGGER key_removed AFTER DELETE ON keys BEGIN
  UPDATE key_state SET version = version + 1;
END;
