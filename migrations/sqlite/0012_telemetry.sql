-- What came in over /ingest. The table may exist already with its columns and rows; columns that are there stay as they
-- are. created_at is unix milliseconds. What the checks say is enforced by a trigger in a table that was there before,
-- and both indexes are made where no equal one exists: see core/db/telemetry_table.
CREATE TABLE IF NOT EXISTS system_telemetry (
  id         TEXT PRIMARY KEY NOT NULL,
  source     TEXT NOT NULL CHECK (source IN ('audit', 'metric')),
  tenant_id  TEXT NOT NULL CHECK (length(tenant_id) BETWEEN 1 AND 512),
  payload    TEXT NOT NULL CHECK (json_valid(payload)) CHECK (length(payload) <= 128000),
  created_at INTEGER NOT NULL CHECK (created_at >= 0)
) STRICT;

ALTER TABLE system_telemetry ADD COLUMN source TEXT;
ALTER TABLE system_telemetry ADD COLUMN tenant_id TEXT;
ALTER TABLE system_telemetry ADD COLUMN payload TEXT;
ALTER TABLE system_telemetry ADD COLUMN created_at INTEGER;

-- What the table holds, so that nobody has to count: those who write add to it, triggers see to the rest
-- (core/db/telemetry_table). bytes: of the payloads. kept_until: created_at of the newest row that was there before Redrive; those up to it are the
-- user's own and are never deleted for their age or size.
CREATE TABLE telemetry_size (
  only       INTEGER PRIMARY KEY NOT NULL CHECK (only = 1),
  row_count  INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  kept_until INTEGER NOT NULL
) STRICT;

INSERT INTO telemetry_size (only, row_count, bytes, kept_until)
  SELECT 1, count(*), COALESCE(sum(length(CAST(payload AS BLOB))), 0),
         MIN(COALESCE(max(CASE WHEN typeof(created_at) = 'integer' THEN created_at END), 0), unixepoch() * 1000)
  FROM system_telemetry;

-- What retention has deleted, in all and last.
CREATE TABLE telemetry_pruned (
  reason     TEXT PRIMARY KEY NOT NULL CHECK (reason IN ('age', 'size')),
  row_count  INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  last_rows  INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
