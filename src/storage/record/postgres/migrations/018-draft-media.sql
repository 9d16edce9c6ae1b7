-- The files that drafts link to, so that the uses of a file are found without reading every draft.
CREATE TABLE draft_media (
  draft_id text COLLATE "C" NOT NULL REFERENCES drafts (id),
  medium_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (medium_id, draft_id)
);
CREATE INDEX draft_media_by_draft ON draft_media (draft_id);

INSERT INTO draft_media (draft_id, medium_id)
SELECT DISTINCT drafts.id, found[1]
FROM drafts, regexp_matches(drafts.parts, '/media/([0-9a-f]{32})\.', 'g') AS found;
