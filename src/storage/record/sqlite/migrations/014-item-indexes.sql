-- Earlier texts of 005 and 006 made other indexes, and one of 001 left out a trigger. Stores that were
-- made by them become equal to those made by the texts of today.
CREATE TRIGGER IF NOT EXISTS audit_stays_whole BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

DROP INDEX mails_due;
CREATE INDEX mails_due ON mails (state, next_attempt_at);

CREATE INDEX IF NOT EXISTS items_status ON items (status, updated_at, id);
DROP INDEX items_title;
CREATE INDEX items_title ON items (title, id, path, status);
DROP INDEX items_deleted;
CREATE INDEX items_deleted ON items (updated_at) WHERE status = 'deleted' AND revision > 0;
