-- The files that drafts link to, so that the uses of a file are found without reading every draft.
CREATE TABLE draft_media (
  draft_id TEXT NOT NULL REFERENCES drafts (id),
  medium_id TEXT NOT NULL,
  PRIMARY KEY (medium_id, draft_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX draft_media_by_draft ON draft_media (draft_id);

WITH RECURSIVE linked (draft_id, rest) AS (
  SELECT id, substr(parts, instr(parts, '/media/') + 7)
  FROM drafts WHERE instr(parts, '/media/') > 0
  UNION ALL
  SELECT draft_id, substr(rest, instr(rest, '/media/') + 7)
  FROM linked WHERE instr(rest, '/media/') > 0
)
INSERT OR IGNORE INTO draft_media (draft_id, medium_id)
SELECT draft_id, substr(rest, 1, 32) FROM linked
WHERE substr(rest, 33, 1) = '.' AND substr(rest, 1, 32) NOT GLOB '*[^0-9a-f]*';
