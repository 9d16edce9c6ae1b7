-- How often a process that ran the job died.
ALTER TABLE jobs ADD COLUMN interruptions integer NOT NULL DEFAULT 0;
