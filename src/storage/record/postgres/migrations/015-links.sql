-- Addresses that published items link to, and what asking for them brought.
CREATE TABLE links (
  url text COLLATE "C" PRIMARY KEY,
  -- With port; empty for pages of this site.
  host text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  status integer,
  target text COLLATE "C",
  fault text COLLATE "C",
  failures integer NOT NULL,
  checked_at text COLLATE "C",
  due_at text COLLATE "C" NOT NULL
);
CREATE INDEX links_due ON links (host, due_at);
CREATE INDEX links_state ON links (state, url);

-- When each host may be asked again, and when it next has a link that is due.
CREATE TABLE link_hosts (
  host text COLLATE "C" PRIMARY KEY,
  next_at text COLLATE "C" NOT NULL,
  free_at text COLLATE "C" NOT NULL
);
CREATE INDEX link_hosts_next ON link_hosts (next_at);

-- Which items have which links, as of the round in which they were found.
CREATE TABLE link_uses (
  item_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  round text COLLATE "C" NOT NULL,
  PRIMARY KEY (item_id, url)
);
CREATE INDEX link_uses_url ON link_uses (url);
