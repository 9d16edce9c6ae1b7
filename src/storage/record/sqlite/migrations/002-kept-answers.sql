-- Answers to requests with an Idempotency-Key, for a day. Neither name nor fingerprint tells what
-- was asked, and `sealed` can be opened by the caller's own key only.
CREATE TABLE kept_answers (
  name TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  sealed TEXT NOT NULL,
  kept_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_answers_age ON kept_answers (kept_at);
