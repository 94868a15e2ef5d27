-- Jobs, their attempts and results. `jobs` may exist already with its first seven columns and rows; columns that are
-- there stay as they are. Times without a unit in their name are unix seconds.
CREATE TABLE IF NOT EXISTS jobs (
  id         TEXT PRIMARY KEY NOT NULL,
  type       TEXT NOT NULL,
  status     TEXT NOT NULL DEFAULT 'pending',
  payload    TEXT,
  error      TEXT,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  updated_at INTEGER NOT NULL DEFAULT (unixepoch())
);

ALTER TABLE jobs ADD COLUMN error TEXT;
ALTER TABLE jobs ADD COLUMN payload TEXT;
ALTER TABLE jobs ADD COLUMN queue TEXT;
ALTER TABLE jobs ADD COLUMN run INTEGER NOT NULL DEFAULT 1;
ALTER TABLE jobs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN due_at_ms INTEGER;
ALTER TABLE jobs ADD COLUMN created_at_ms INTEGER;
ALTER TABLE jobs ADD COLUMN updated_at_ms INTEGER;
ALTER TABLE jobs ADD COLUMN reason TEXT;
ALTER TABLE jobs ADD COLUMN discarded INTEGER NOT NULL DEFAULT 0;

CREATE INDEX jobs_open ON jobs (status, id) WHERE status = 'pending' OR status = 'processing';
CREATE INDEX jobs_due ON jobs (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX jobs_dead ON jobs (id) WHERE status = 'dead';

-- One row per finished or interrupted attempt. outcome: done, failed, timed_out, permanent, crashed, cancelled.
CREATE TABLE job_attempts (
  job_id         TEXT NOT NULL,
  run            INTEGER NOT NULL,
  attempt        INTEGER NOT NULL,
  instance_no    INTEGER,
  started_at_ms  INTEGER NOT NULL,
  finished_at_ms INTEGER,
  outcome        TEXT NOT NULL,
  error          TEXT,
  next_at_ms     INTEGER,
  PRIMARY KEY (job_id, run, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_results (
  job_id        TEXT NOT NULL,
  run           INTEGER NOT NULL,
  content       TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (job_id, run)
) STRICT, WITHOUT ROWID;
