-- Dead letters outlive the copy that waits in a dead-letter queue. kind: job, message, delivery.
-- state: open, requeued, discarded. subject_id: the job, message or delivery. Letters of jobs keep no body: it stands
-- in the job.
CREATE TABLE dead_letters (
  no                INTEGER PRIMARY KEY AUTOINCREMENT,
  kind              TEXT NOT NULL,
  subject_id        TEXT NOT NULL,
  state             TEXT NOT NULL DEFAULT 'open',
  source_queue      TEXT,
  dead_letter_queue TEXT,
  type              TEXT,
  endpoint_id       TEXT,
  run               INTEGER NOT NULL DEFAULT 1,
  attempts          INTEGER NOT NULL,
  max_attempts      INTEGER,
  reason            TEXT NOT NULL,
  error             TEXT,
  content_type      TEXT NOT NULL DEFAULT 'json',
  body              ANY,
  sent_at_ms        INTEGER NOT NULL,
  dead_at_ms        INTEGER NOT NULL,
  changed_at_ms     INTEGER NOT NULL
) STRICT;

CREATE INDEX dead_letters_open ON dead_letters (dead_at_ms, no) WHERE state = 'open';
CREATE INDEX dead_letters_bin ON dead_letters (changed_at_ms, no) WHERE state = 'discarded';
CREATE INDEX dead_letters_subject ON dead_letters (subject_id);
