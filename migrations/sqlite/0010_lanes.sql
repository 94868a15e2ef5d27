-- What goes first within an endpoint: 0 first attempts and what was asked for by hand, 1 retries, 2 replays of many.
ALTER TABLE webhook_deliveries ADD COLUMN send_class INTEGER NOT NULL DEFAULT 0;
UPDATE webhook_deliveries SET send_class = 1 WHERE due_at_ms IS NOT NULL AND attempts > 0;
UPDATE webhook_deliveries SET send_class = 1 WHERE status = 'held' AND attempts > 0;

DROP INDEX IF EXISTS webhook_deliveries_lane;
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (endpoint_id, send_class, due_at_ms)
  WHERE due_at_ms IS NOT NULL;

-- Circuit breakers that are open. openings: how often since it was last closed.
CREATE TABLE endpoint_breakers (
  endpoint_id   TEXT PRIMARY KEY NOT NULL,
  opened_at_ms  INTEGER NOT NULL,
  open_until_ms INTEGER NOT NULL,
  openings      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
