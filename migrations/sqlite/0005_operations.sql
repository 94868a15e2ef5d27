-- What operators asked for. A redrive holds a frozen set of items; state: requested, running, done, stopped.
CREATE TABLE redrives (
  no             INTEGER PRIMARY KEY AUTOINCREMENT,
  verb           TEXT NOT NULL,
  scope          TEXT NOT NULL,
  arguments      TEXT NOT NULL DEFAULT '{}',
  actor          TEXT NOT NULL,
  source         TEXT NOT NULL,
  reason         TEXT,
  state          TEXT NOT NULL DEFAULT 'requested',
  total          INTEGER NOT NULL DEFAULT 0,
  succeeded      INTEGER NOT NULL DEFAULT 0,
  refused        INTEGER NOT NULL DEFAULT 0,
  created_at_ms  INTEGER NOT NULL,
  started_at_ms  INTEGER,
  finished_at_ms INTEGER
) STRICT;
CREATE INDEX redrives_open ON redrives (no) WHERE state IN ('requested', 'running');

-- result: NULL while it waits, then ok or refused with the words of the refusal.
CREATE TABLE redrive_items (
  redrive_no INTEGER NOT NULL,
  item_no    INTEGER NOT NULL,
  item_id    TEXT NOT NULL,
  result     TEXT,
  message    TEXT,
  PRIMARY KEY (redrive_no, item_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  no         INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms      INTEGER NOT NULL,
  actor      TEXT NOT NULL,
  source     TEXT NOT NULL,
  verb       TEXT NOT NULL,
  target     TEXT NOT NULL,
  count      INTEGER NOT NULL,
  redrive_no INTEGER,
  reason     TEXT,
  result     TEXT NOT NULL
) STRICT;

CREATE TABLE sweeps (
  no             INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at_ms  INTEGER NOT NULL,
  finished_at_ms INTEGER NOT NULL,
  cause          TEXT NOT NULL,
  published      INTEGER NOT NULL,
  rescued        INTEGER NOT NULL,
  unrescuable    INTEGER NOT NULL
) STRICT;
