/**
 * Raise when these tables change, or the output of `render/` for a body: the next start then rebuilds
 * the copy from the record.
 */
export const READING_VERSION = 32;

/** Columns of `reading_medium` except its hash. */
export const MEDIUM_COLUMNS = "id, type, width, height, alt, credit, bytes, name";

/** Assigns a number to every item ever stored or linked to, published or not. */
export const ROW_NUMBERS = `
CREATE TABLE IF NOT EXISTS reading_row (
  row INTEGER PRIMARY KEY,
  item_id TEXT NOT NULL UNIQUE
) STRICT;`;

/**
 * `reading_row` stays: list cursors contain row numbers and must survive a rebuild. So do
 * `reading_vector`, which takes hours to fill, and `reading_embedder`.
 */
export const DROP_TABLES = `
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
export const CREATE_TABLES = `
-- What changed last; one row, written with every change.
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

${ROW_NUMBERS}

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

-- Apart from the item, so that lists do not read past it. text_rest continues reading_item.text.
CREATE TABLE reading_body (
  row INTEGER PRIMARY KEY,
  html TEXT NOT NULL,
  markdown TEXT NOT NULL,
  text_rest TEXT NOT NULL,
  html_hash INTEGER NOT NULL,
  markdown_hash INTEGER NOT NULL,
  text_hash INTEGER NOT NULL
) STRICT;

-- The links and counts of an item, as lists and its page show them, and its translations and
-- neighbours, as its page does; null: it has none. Rewritten when any of that changes, here or elsewhere.
CREATE TABLE reading_related (
  row INTEGER PRIMARY KEY,
  related TEXT NOT NULL,
  surroundings TEXT,
  related_hash INTEGER NOT NULL,
  around_hash INTEGER NOT NULL
) STRICT;

-- Everything lists are ordered or narrowed by: one value a sort. A missing value is the empty blob,
-- which stands behind all numbers and texts. The places within an item are named by its row ("locator@12").
CREATE TABLE reading_value (
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  row INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (type, name, value, row)
) STRICT, WITHOUT ROWID;

-- How many items have a value that lists can be narrowed by: what an index returns is compared with it.
CREATE TABLE reading_tally (
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  items INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (type, name, value)
) STRICT, WITHOUT ROWID;

-- What published items state; the target need not be published. Of types shown best first: rank, the
-- place among the items that link to the target; and where items of several authors meet there, the
-- author and the score that the rank is made from.
CREATE TABLE reading_link (
  source INTEGER NOT NULL,
  relation TEXT NOT NULL,
  position INTEGER NOT NULL,
  target INTEGER NOT NULL,
  source_type TEXT NOT NULL,
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

-- Paths that are no longer an item's own: moved to item row, or gone with it (then with a title).
CREATE TABLE reading_path (
  path TEXT PRIMARY KEY,
  row INTEGER NOT NULL,
  gone_title TEXT,
  gone_type TEXT,
  hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_path_row ON reading_path (row);

-- Paths that lead to a page of the site that is no item, or to another site.
CREATE TABLE reading_lead (
  path TEXT PRIMARY KEY,
  to_path TEXT NOT NULL,
  hash INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Files that something public shows; others are served to nobody.
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

-- What items mean to a model, where an operator has named one; empty numbers: it cannot read the
-- item. Each new vector has a number higher than any before.
CREATE TABLE IF NOT EXISTS reading_vector (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  row INTEGER NOT NULL UNIQUE,
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  numbers BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reading_vector_model ON reading_vector (model, row, text_hash);

-- One row: the process that makes vectors, and until when, in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS reading_embedder (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  process TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO reading_embedder VALUES (1, '', 0);
`;

/** A bulk load drops these: recreating them at the end is cheaper than updating them. */
export const CREATE_INDEXES = [
  "CREATE UNIQUE INDEX reading_item_path ON reading_item (path)",
  "CREATE INDEX reading_item_type ON reading_item (type)",
  "CREATE INDEX reading_value_item ON reading_value (row, name, value)",
  "CREATE INDEX reading_link_target ON reading_link (target, relation, source_type, source)",
  `CREATE INDEX reading_link_rank ON reading_link (target, relation, source_type, rank, source)
   WHERE rank IS NOT NULL`,
  `CREATE INDEX reading_link_author
   ON reading_link (target, relation, source_type, author, score, source)
   WHERE author IS NOT NULL`,
];

export const CREATE_SEARCH = `
-- The search index. Every stem that ever stood in it, after the pairs of words ('#1'); items: how many
-- contain it now. Stop words ('~the') have a number but no postings: they stand only in pairs.
CREATE TABLE reading_stem (
  id INTEGER PRIMARY KEY,
  stem TEXT NOT NULL UNIQUE,
  items INTEGER NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- Where a stem occurs, a row for each block of items; place and entries as postings.ts has them.
CREATE TABLE reading_posting (
  place INTEGER PRIMARY KEY,
  entries BLOB NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- What each item is found by, as postings.ts has it.
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

-- Type and language of the indexed items, two bytes for each row of a block: the number of a kind.
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

-- The words of each item in their order, as word-order.ts has them.
CREATE TABLE reading_order (
  row INTEGER PRIMARY KEY,
  words BLOB NOT NULL,
  hash INTEGER NOT NULL
) STRICT;

-- Titles, last parts of paths and other names by their trigrams, for "did you mean". (detail = none: bm25 is
-- always 0 here, shared trigrams are counted instead.)
CREATE VIRTUAL TABLE reading_name_trigram USING fts5(
  name, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE reading_name_gram USING fts5vocab(reading_name_trigram, 'row');

-- Every word that ever stood in the index as it is written, and the words by their trigrams.
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
