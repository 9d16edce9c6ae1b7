-- German texts by the English ones, as JSON, of the report and the error.
ALTER TABLE jobs ADD COLUMN german TEXT;
