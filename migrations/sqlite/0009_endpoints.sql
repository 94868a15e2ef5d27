-- Endpoints by id. origin: configuration (written at each start), made (by an operator), payload (known from events only,
-- without versions). url: of the newest version, or of the last event that named it.
CREATE TABLE endpoints (
  id            TEXT PRIMARY KEY NOT NULL,
  origin        TEXT NOT NULL,
  version       INTEGER NOT NULL,
  url           TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER
) STRICT;

-- Each settings an endpoint ever had, as JSON. Versions stay for good: attempts name them.
CREATE TABLE endpoint_versions (
  endpoint_id TEXT NOT NULL,
  version     INTEGER NOT NULL,
  settings    TEXT NOT NULL,
  made_at_ms  INTEGER NOT NULL,
  made_by     TEXT NOT NULL,
  PRIMARY KEY (endpoint_id, version)
) STRICT, WITHOUT ROWID;

-- One row: grows with every change of endpoints or of their state, so that other processes see at once whether to read.
CREATE TABLE endpoint_revision (revision INTEGER NOT NULL) STRICT;
INSERT INTO endpoint_revision (revision) VALUES (1);

-- disabled_cause: gone (it answered 410), operator, deleted. paused_at_ms: by an operator, beside its settings.
ALTER TABLE webhook_endpoints ADD COLUMN disabled_cause TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN paused_at_ms INTEGER;
ALTER TABLE webhook_endpoints ADD COLUMN changed_by TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN certificate_ends_at_ms INTEGER;

-- NULL: settings of the event's payload.
ALTER TABLE delivery_attempts ADD COLUMN endpoint_version INTEGER;

-- What came of attempts, by endpoint and quarter of an hour; within_N_ms: how long answered ones took.
CREATE TABLE endpoint_stats (
  endpoint_id     TEXT NOT NULL,
  slot_ms         INTEGER NOT NULL,
  attempts        INTEGER NOT NULL,
  delivered       INTEGER NOT NULL,
  within_5_ms     INTEGER NOT NULL,
  within_10_ms    INTEGER NOT NULL,
  within_20_ms    INTEGER NOT NULL,
  within_50_ms    INTEGER NOT NULL,
  within_100_ms   INTEGER NOT NULL,
  within_200_ms   INTEGER NOT NULL,
  within_500_ms   INTEGER NOT NULL,
  within_1000_ms  INTEGER NOT NULL,
  within_2000_ms  INTEGER NOT NULL,
  within_5000_ms  INTEGER NOT NULL,
  within_10000_ms INTEGER NOT NULL,
  within_30000_ms INTEGER NOT NULL,
  PRIMARY KEY (endpoint_id, slot_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX endpoint_stats_slot ON endpoint_stats (slot_ms);
