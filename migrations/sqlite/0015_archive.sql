-- Files of the archive that this store has written to. bytes: the length up to which the letters in it have left the
-- store; what stands behind it was written by an engine that ended before they did.
CREATE TABLE archive_files (
  name                TEXT PRIMARY KEY NOT NULL,
  letters             INTEGER NOT NULL DEFAULT 0,
  bytes               INTEGER NOT NULL DEFAULT 0,
  uploaded_bytes      INTEGER NOT NULL DEFAULT 0,
  uploaded_at_ms      INTEGER,
  etag                TEXT,
  upload_error        TEXT,
  upload_failed_at_ms INTEGER
) STRICT, WITHOUT ROWID;
