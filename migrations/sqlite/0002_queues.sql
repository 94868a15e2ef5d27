-- Queues and the messages in them. A message of a job carries the job's id and no body of its own.
CREATE TABLE queues (
  name              TEXT PRIMARY KEY NOT NULL,
  paused_at_ms      INTEGER,
  paused_by         TEXT,
  delivery_delay_ms INTEGER,
  retention_ms      INTEGER,
  created_at_ms     INTEGER NOT NULL
) STRICT;

-- lease_instance: the engine instance that holds the message; claim_no and claimed_at_ms: set when its work began.
-- attempts counts deliveries, crashes those of them that ended with their engine.
CREATE TABLE messages (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL,
  queue          TEXT NOT NULL,
  is_job         INTEGER NOT NULL,
  content_type   TEXT NOT NULL DEFAULT 'json',
  body           ANY,
  size           INTEGER NOT NULL,
  sent_at_ms     INTEGER NOT NULL,
  visible_at_ms  INTEGER NOT NULL,
  attempts       INTEGER NOT NULL DEFAULT 0,
  crashes        INTEGER NOT NULL DEFAULT 0,
  urgent         INTEGER NOT NULL DEFAULT 0,
  last_error     TEXT,
  lease_instance INTEGER,
  claim_no       INTEGER,
  claimed_at_ms  INTEGER
) STRICT;

CREATE UNIQUE INDEX messages_id ON messages (id);
CREATE INDEX messages_ready ON messages (queue, visible_at_ms, seq) WHERE lease_instance IS NULL;

-- Engine instances that live or lived. Lease times are CLOCK_BOOTTIME of the boot named beside them.
CREATE TABLE instances (
  no               INTEGER PRIMARY KEY AUTOINCREMENT,
  owner            TEXT NOT NULL UNIQUE,
  host             TEXT NOT NULL,
  pid              INTEGER NOT NULL,
  version          TEXT NOT NULL,
  boot_id          TEXT NOT NULL,
  started_at_ms    INTEGER NOT NULL,
  lease_until_ms   INTEGER NOT NULL,
  ended_at_ms      INTEGER
) STRICT;
CREATE INDEX instances_live ON instances (lease_until_ms) WHERE ended_at_ms IS NULL;

CREATE TABLE idempotency_keys (
  route         TEXT NOT NULL,
  token         TEXT NOT NULL,
  key           BLOB NOT NULL,
  body_sha256   BLOB NOT NULL,
  job_id        TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (route, token, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at_ms);
