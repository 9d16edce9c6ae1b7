-- Addresses that published items link to, and what asking for them brought.
CREATE TABLE links (
  url TEXT PRIMARY KEY,
  -- With port; empty for pages of this site.
  host TEXT NOT NULL,
  state TEXT NOT NULL,
  status INTEGER,
  target TEXT,
  fault TEXT,
  failures INTEGER NOT NULL,
  checked_at TEXT,
  due_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_due ON links (host, due_at);
CREATE INDEX links_state ON links (state, url);

-- When each host may be asked again, and when it next has a link that is due.
CREATE TABLE link_hosts (
  host TEXT PRIMARY KEY,
  next_at TEXT NOT NULL,
  free_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_hosts_next ON link_hosts (next_at);

-- Which items have which links, as of the round in which they were found.
CREATE TABLE link_uses (
  item_id TEXT NOT NULL,
  url TEXT NOT NULL,
  round TEXT NOT NULL,
  PRIMARY KEY (item_id, url)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_uses_url ON link_uses (url);
