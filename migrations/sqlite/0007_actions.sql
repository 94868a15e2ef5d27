-- What operators do to work. stop_asked_ms: what runs or is being sent was asked to stop; the engine that holds it looks
-- for such rows and ends them as cancelled.
ALTER TABLE messages ADD COLUMN stop_asked_ms INTEGER;
ALTER TABLE webhook_deliveries ADD COLUMN stop_asked_ms INTEGER;
CREATE INDEX messages_stop ON messages (stop_asked_ms) WHERE stop_asked_ms IS NOT NULL;
CREATE INDEX webhook_deliveries_stop ON webhook_deliveries (stop_asked_ms) WHERE stop_asked_ms IS NOT NULL;

-- An edited job or message is a new one that names the former (parent_id) and is named by it (superseded_by).
ALTER TABLE jobs ADD COLUMN parent_id TEXT;
ALTER TABLE jobs ADD COLUMN superseded_by TEXT;
ALTER TABLE dead_letters ADD COLUMN superseded_by TEXT;
CREATE INDEX dead_letters_superseded_by ON dead_letters (superseded_by) WHERE superseded_by IS NOT NULL;

-- What was done to one thing.
CREATE INDEX redrive_items_item ON redrive_items (item_id);
