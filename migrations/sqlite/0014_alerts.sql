-- What operators are told of. alert_notes: what has happened to endpoints and redrives and no alert has taken up yet.
CREATE TABLE alert_notes (
  no      INTEGER PRIMARY KEY AUTOINCREMENT,
  kind    TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail  TEXT NOT NULL,
  at_ms   INTEGER NOT NULL
) STRICT;

-- One row: up to which number dead letters have been taken up. What is dead already is no news.
CREATE TABLE alert_reach (letter_no INTEGER NOT NULL) STRICT;
INSERT INTO alert_reach (letter_no) SELECT COALESCE(max(no), 0) FROM dead_letters;

-- Groups that an alert was made for within their window. waiting: what came since; the next alert is made of it.
CREATE TABLE alert_groups (
  signature         TEXT PRIMARY KEY NOT NULL,
  kind              TEXT NOT NULL,
  title             TEXT NOT NULL,
  window_ends_at_ms INTEGER NOT NULL,
  waiting           INTEGER NOT NULL DEFAULT 0,
  first_at_ms       INTEGER NOT NULL DEFAULT 0,
  last_at_ms        INTEGER NOT NULL DEFAULT 0,
  examples          TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_groups_end ON alert_groups (window_ends_at_ms);

-- One for each group and window. is_digest: of what came while an earlier window was open.
CREATE TABLE alerts (
  no          INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL,
  signature   TEXT NOT NULL,
  title       TEXT NOT NULL,
  is_digest   INTEGER NOT NULL,
  count       INTEGER NOT NULL,
  first_at_ms INTEGER NOT NULL,
  last_at_ms  INTEGER NOT NULL,
  examples    TEXT NOT NULL,
  at_ms       INTEGER NOT NULL
) STRICT;
CREATE INDEX alerts_at ON alerts (at_ms, no);
CREATE INDEX audit_at ON audit (at_ms, no);

-- Where alerts are posted to. id: a hash of form and place; seen_no: the last alert that has a post for it. last_…: what
-- came of posts; failing_since_ms: since when none arrives.
CREATE TABLE alert_targets (
  id               TEXT PRIMARY KEY NOT NULL,
  form             TEXT NOT NULL,
  place            TEXT NOT NULL,
  seen_no          INTEGER NOT NULL,
  last_sent_at_ms  INTEGER,
  last_tried_at_ms INTEGER,
  failing_since_ms INTEGER,
  last_error       TEXT
) STRICT, WITHOUT ROWID;

-- state: waiting, sending, sent, failed. due_at_ms is set exactly while it waits, instance_no while it is being sent.
CREATE TABLE alert_posts (
  alert_no      INTEGER NOT NULL,
  target_id     TEXT NOT NULL,
  state         TEXT NOT NULL DEFAULT 'waiting',
  attempts      INTEGER NOT NULL DEFAULT 0,
  due_at_ms     INTEGER,
  instance_no   INTEGER,
  error         TEXT,
  changed_at_ms INTEGER NOT NULL,
  PRIMARY KEY (alert_no, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_posts_due ON alert_posts (target_id, due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX alert_posts_sending ON alert_posts (instance_no) WHERE instance_no IS NOT NULL;
