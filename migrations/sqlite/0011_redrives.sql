-- How fast a redrive goes and what ends it early; nothing: no limit. after_canary: ask, go_on or stop. next_at_us: before
-- which nothing more may begin (unix time in microseconds). note: why it is paused or was stopped. continued_at_ms: the
-- brake counts outcomes since then.
ALTER TABLE redrives ADD COLUMN rate_per_second REAL;
ALTER TABLE redrives ADD COLUMN in_flight INTEGER;
ALTER TABLE redrives ADD COLUMN brake_percent INTEGER;
ALTER TABLE redrives ADD COLUMN canary INTEGER;
ALTER TABLE redrives ADD COLUMN after_canary TEXT;
ALTER TABLE redrives ADD COLUMN canary_passed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE redrives ADD COLUMN next_at_us INTEGER;
ALTER TABLE redrives ADD COLUMN note TEXT;
ALTER TABLE redrives ADD COLUMN continued_at_ms INTEGER;

-- What became of the attempt that an item made. acted_id: whose outcome counts, the item's own or that of what it made.
-- outcome: waiting, succeeded, failed (with the error it had before), failed_anew, gone; nothing: none is awaited.
ALTER TABLE redrive_items ADD COLUMN acted_id TEXT;
ALTER TABLE redrive_items ADD COLUMN error_before TEXT;
ALTER TABLE redrive_items ADD COLUMN outcome TEXT;
ALTER TABLE redrive_items ADD COLUMN outcome_at_ms INTEGER;

CREATE INDEX redrive_items_acted ON redrive_items (acted_id, redrive_no) WHERE outcome IS NOT NULL;
CREATE INDEX redrive_items_waiting ON redrive_items (redrive_no, item_no) WHERE outcome = 'waiting';
CREATE INDEX redrive_items_ended ON redrive_items (redrive_no, outcome_at_ms) WHERE outcome_at_ms IS NOT NULL;
