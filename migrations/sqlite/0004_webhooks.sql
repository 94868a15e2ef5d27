-- Events fanned out and their deliveries. `webhook_deliveries` may exist already with its first six columns and rows.
CREATE TABLE webhook_events (
  id            TEXT PRIMARY KEY NOT NULL,
  job_id        TEXT NOT NULL,
  run           INTEGER NOT NULL,
  event_type    TEXT NOT NULL,
  body          TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
-- A job has one event, however often it runs.
CREATE UNIQUE INDEX webhook_events_job ON webhook_events (job_id);

CREATE TABLE IF NOT EXISTS webhook_deliveries (
  id          TEXT PRIMARY KEY NOT NULL,
  endpoint_id TEXT NOT NULL,
  event_type  TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'pending',
  error       TEXT,
  created_at  INTEGER NOT NULL DEFAULT (unixepoch())
);

-- url and settings are those of the event; settings is the endpoint as the payload gave it (JSON), NULL for one of the
-- configuration. spent counts the attempts that used up budget in this budget period, attempts all of them.
-- retry_base_ms: the retry delay of the job's queue, where it has one. due_at_ms is set exactly while an attempt waits.
-- replay_of is set while a replay that an operator asked for waits or is under way: the attempt it repeats (0: none
-- yet). resume_status and resume_at_ms then say what the delivery goes back to if the replay fails; without a status it
-- has a fresh budget. For a held delivery resume_at_ms keeps the due time.
ALTER TABLE webhook_deliveries ADD COLUMN error TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN event_id TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN job_id TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN url TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN settings TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_deliveries ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_deliveries ADD COLUMN budget INTEGER NOT NULL DEFAULT 4;
ALTER TABLE webhook_deliveries ADD COLUMN retry_base_ms INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN due_at_ms INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN reason TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN instance_no INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN replay_of INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN resume_status TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN resume_at_ms INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN created_at_ms INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN updated_at_ms INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN discarded INTEGER NOT NULL DEFAULT 0;

CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (event_id, endpoint_id) WHERE event_id IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at_ms, id) WHERE due_at_ms IS NOT NULL;
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (endpoint_id, due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (endpoint_id) WHERE status = 'held';
CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (instance_no) WHERE instance_no IS NOT NULL;
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (id) WHERE status = 'dead';

-- What endpoints asked for by their answers: 410 disables, Retry-After pauses.
CREATE TABLE webhook_endpoints (
  id              TEXT PRIMARY KEY NOT NULL,
  disabled_at_ms  INTEGER,
  paused_until_ms INTEGER
) STRICT;

-- Written before the request connects. kind: scheduled, replay. outcome: NULL while it runs, then delivered, failed,
-- interrupted, cancelled; class: not_sent, unknown, answered.
CREATE TABLE delivery_attempts (
  delivery_id      TEXT NOT NULL,
  attempt          INTEGER NOT NULL,
  kind             TEXT NOT NULL DEFAULT 'scheduled',
  replay_of        INTEGER,
  instance_no      INTEGER NOT NULL,
  url              TEXT NOT NULL,
  started_at_ms    INTEGER NOT NULL,
  finished_at_ms   INTEGER,
  outcome          TEXT,
  class            TEXT,
  status_code      INTEGER,
  error_code       TEXT,
  error            TEXT,
  peer             TEXT,
  request_headers  TEXT,
  response_headers TEXT,
  response_body    BLOB,
  dns_us           INTEGER,
  connect_us       INTEGER,
  tls_us           INTEGER,
  first_byte_us    INTEGER,
  total_us         INTEGER,
  tls_version      TEXT,
  certificate_ends_at_ms INTEGER,
  next_at_ms       INTEGER,
  next_reason      TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT, WITHOUT ROWID;
