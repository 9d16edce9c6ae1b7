-- Files of the site and of jobs, so that every instance reaches them; each is there once it has a row.
CREATE TABLE files (
  name text COLLATE "C" PRIMARY KEY,
  upload text COLLATE "C" NOT NULL UNIQUE,
  bytes bigint NOT NULL,
  kept_at text COLLATE "C" NOT NULL
);

-- Numbered from 0, each a megabyte but the last.
CREATE TABLE file_pieces (
  upload text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (upload, number)
);
-- Pictures and films are compressed already.
ALTER TABLE file_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- What is being received, with the time of its latest piece.
CREATE TABLE file_uploads (
  upload text COLLATE "C" PRIMARY KEY,
  at text COLLATE "C" NOT NULL
);

-- Counts the files that came and went, so that instances see at once that there is news.
CREATE TABLE file_state (version bigint NOT NULL);
INSERT INTO file_state (version) VALUES (0);
