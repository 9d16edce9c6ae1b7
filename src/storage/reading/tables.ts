/**
 * Version of the reading copy. Raise it when these tables change, or when `render/` renders a body
 * differently. The next start then rebuilds the copy from the record.
 */
export const READING_COPY_VERSION = 42;

/** Columns of `reading_medium` except its hash. */
export const MEDIA_FILE_COLUMNS = "id, type, width, height, alt, credit, bytes, name";

/** The table with the number of every item ever stored or linked to, published or not. */
export const CREATE_ROW_NUMBER_TABLE_SQL = `
CREATE TABLE IF NOT EXISTS reading_row (
  row INTEGER PRIMARY KEY,
  item_id TEXT NOT NULL UNIQUE
) STRICT;`;

/**
 * Keeps `reading_row`, because list cursors contain row numbers and must survive a rebuild. Also keeps
 * `reading_vector`, which takes hours to fill, and `reading_embedder`.
 */
export const DROP_TABLES_SQL = `
DROP TABLE IF EXISTS reading_state;
DROP TABLE IF EXISTS reading_site;
DROP TABLE IF EXISTS reading_item;
DROP TABLE IF EXISTS reading_body;
DROP TABLE IF EXISTS reading_card;
DROP TABLE IF EXISTS reading_related;
DROP TABLE IF EXISTS reading_page;
DROP TABLE IF EXISTS reading_value;
DROP TABLE IF EXISTS reading_tally;
DROP TABLE IF EXISTS reading_link;
DROP TABLE IF EXISTS reading_count;
DROP TABLE IF EXISTS reading_path;
DROP TABLE IF EXISTS reading_lead;
DROP TABLE IF EXISTS reading_medium;
DROP TABLE IF EXISTS reading_phrase;
DROP TABLE IF EXISTS reading_term;
DROP TABLE IF EXISTS reading_search;
DROP TABLE IF EXISTS reading_stem;
DROP TABLE IF EXISTS reading_posting;
DROP TABLE IF EXISTS reading_indexed;
DROP TABLE IF EXISTS reading_indexed_total;
DROP TABLE IF EXISTS reading_order;
DROP TABLE IF EXISTS reading_kind;
DROP TABLE IF EXISTS reading_kinds;
DROP TABLE IF EXISTS reading_name_gram;
DROP TABLE IF EXISTS reading_name_trigram;
DROP TABLE IF EXISTS reading_name;
DROP TABLE IF EXISTS reading_word;
DROP TABLE IF EXISTS reading_word_gram;
DROP TABLE IF EXISTS reading_word_trigram;
`;

/** Columns named `hash` or `…_hash` are described in `hashed-rows.ts`. */
export const CREATE_TABLES_SQL = `
-- One row, updated with every change.
CREATE TABLE reading_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- One row. stale: the types have changed since the items were put.
CREATE TABLE reading_site (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  profile TEXT,
  types TEXT,
  stale INTEGER NOT NULL,
  hash INTEGER
) STRICT;
INSERT INTO reading_site VALUES (1, NULL, NULL, 0, NULL);

${CREATE_ROW_NUMBER_TABLE_SQL}

CREATE TABLE reading_item (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  has_own_summary INTEGER NOT NULL,
  language TEXT NOT NULL,
  translation_of INTEGER,
  published_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  fields TEXT NOT NULL,
  text TEXT NOT NULL,
  listed_hash INTEGER NOT NULL,
  hash INTEGER NOT NULL
) STRICT;
CREATE INDEX reading_item_translation ON reading_item (translation_of)
  WHERE translation_of IS NOT NULL;

-- A separate table, so that lists do not have to skip over bodies. text_rest continues reading_item.text.
CREATE TABLE reading_body (
  row INTEGER PRIMARY KEY,
  html TEXT NOT NULL,
  markdown TEXT NOT NULL,
  text_rest TEXT NOT NULL,
  html_hash INTEGER NOT NULL,
  markdown_hash INTEGER NOT NULL,
  text_hash INTEGER NOT NULL
) STRICT;

-- related: the links and counts of an item, for lists and its page. surroundings: its translations and
-- neighbours, for its page; null: it has none. Rewritten when any of these change, or the items they show.
CREATE TABLE reading_related (
  row INTEGER PRIMARY KEY,
  related TEXT NOT NULL,
  surroundings TEXT,
  related_hash INTEGER NOT NULL,
  around_hash INTEGER NOT NULL
) STRICT;

-- The values that lists sort and filter by; a sort has one value per item. A missing value is an empty blob,
-- which sorts after all numbers and texts. What orders an item among the parts of another, its position or else
-- its place, has the row of the other in its name ("locator@12").
CREATE TABLE reading_value (
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  row INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (type, name, value, row)
) STRICT, WITHOUT ROWID;

-- How many items have a value that lists can filter by, for comparison with an index. "link:topics@12" and
-- "author:topics@12" count the items that link to the item at row 12, by language and by row of the author.
CREATE TABLE reading_tally (
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  items INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (type, name, value)
) STRICT, WITHOUT ROWID;

-- The links of published items, with the items' language; targets may be unpublished. rank orders the items that
-- link to a target, if their type is listed best first; it depends on author and score if they have several authors.
CREATE TABLE reading_link (
  source INTEGER NOT NULL,
  relation TEXT NOT NULL,
  position INTEGER NOT NULL,
  target INTEGER NOT NULL,
  source_type TEXT NOT NULL,
  language TEXT NOT NULL,
  note TEXT,
  author INTEGER,
  score INTEGER,
  rank INTEGER,
  hash INTEGER NOT NULL,
  PRIMARY KEY (source, relation, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE reading_count (
  type TEXT PRIMARY KEY,
  items INTEGER NOT NULL,
  hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Former paths of items. They redirect to the item in row, or are gone with it and have a title.
CREATE TABLE reading_path (
  path TEXT PRIMARY KEY,
  row INTEGER NOT NULL,
  gone_title TEXT,
  gone_type TEXT,
  hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_path_row ON reading_path (row);

-- Paths that redirect to a page of the site that is not an item, or to another site. Without a to_path
-- they are gone.
CREATE TABLE reading_lead (
  path TEXT PRIMARY KEY,
  to_path TEXT NOT NULL,
  hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The public files: those that public content shows.
CREATE TABLE reading_medium (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  width INTEGER,
  height INTEGER,
  alt TEXT NOT NULL,
  credit TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  name TEXT NOT NULL,
  hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The embedding vectors of items, if the operator has configured a model. Empty numbers: the model cannot
-- embed the item. Each new vector gets a higher number than all before it.
CREATE TABLE IF NOT EXISTS reading_vector (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  row INTEGER NOT NULL UNIQUE,
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  numbers BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reading_vector_model ON reading_vector (model, row, text_hash);

-- One row: the process that makes vectors, and the end of its lease in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS reading_embedder (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  process TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO reading_embedder VALUES (1, '', 0);
`;

/**
 * A bulk load drops these indexes, because recreating them at the end is cheaper than updating
 * them.
 */
export const CREATE_INDEXES_SQL = [
  "CREATE UNIQUE INDEX reading_item_path ON reading_item (path)",
  "CREATE INDEX reading_item_type ON reading_item (type)",
  "CREATE INDEX reading_value_item ON reading_value (row, name, value)",
  "CREATE INDEX reading_link_target ON reading_link (target, relation, source_type, source, language)",
  `CREATE INDEX reading_link_rank
   ON reading_link (target, relation, source_type, rank, source, language)
   WHERE rank IS NOT NULL`,
  `CREATE INDEX reading_link_author
   ON reading_link (target, relation, source_type, author, score, source)
   WHERE author IS NOT NULL`,
];

export const CREATE_SEARCH_TABLES_SQL = `
-- All stems that the search index has ever had, preceded by its word pairs ('#1'). items: how many contain
-- the stem now. Stop words ('~the') have a number but no postings, because they occur only in pairs.
CREATE TABLE reading_stem (
  id INTEGER PRIMARY KEY,
  stem TEXT NOT NULL UNIQUE,
  items INTEGER NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- Where a stem occurs, with one row for each block of items. postings.ts defines place and entries.
CREATE TABLE reading_posting (
  place INTEGER PRIMARY KEY,
  entries BLOB NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- The stems that find each item, in the format of postings.ts.
CREATE TABLE reading_indexed (
  row INTEGER PRIMARY KEY,
  stems BLOB NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- One row.
CREATE TABLE reading_indexed_total (
  items INTEGER NOT NULL,
  words INTEGER NOT NULL
) STRICT;
INSERT INTO reading_indexed_total VALUES (0, 0);

-- A kind is a type and a language. For each row of a block, kinds has the number of its kind in two bytes.
CREATE TABLE reading_kind (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  language TEXT NOT NULL,
  hash INTEGER NOT NULL,
  UNIQUE (type, language)
) STRICT;
CREATE TABLE reading_kinds (
  block INTEGER PRIMARY KEY,
  kinds BLOB NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- The words of each item in their order, in the format of word-order.ts.
CREATE TABLE reading_order (
  row INTEGER PRIMARY KEY,
  words BLOB NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- The trigrams of titles, last path segments and other names, for "did you mean". With detail = none, bm25 is
-- always 0, so shared trigrams are counted instead.
CREATE VIRTUAL TABLE reading_name_trigram USING fts5(
  name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE reading_name_gram USING fts5vocab(reading_name_trigram, 'row');

-- All words that the index has ever had, as they are written, and their trigrams.
CREATE TABLE reading_word (
  id INTEGER PRIMARY KEY,
  word TEXT NOT NULL UNIQUE,
  hash INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE reading_word_trigram USING fts5(
  word, content = '', detail = none, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE reading_word_gram USING fts5vocab(reading_word_trigram, 'row');
`;
