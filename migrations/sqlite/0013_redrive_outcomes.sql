-- What waits, and how many ended in which way, without reading a redrive's other items.
DROP INDEX redrive_items_waiting;
CREATE INDEX redrive_items_outcome ON redrive_items (redrive_no, outcome) WHERE outcome IS NOT NULL;

-- Open deliveries that neither wait for a time, nor are held, nor are being sent: rows of a user's own, and damaged
-- ones. With the indexes over those three it finds whatever can be cancelled; while all is well it is empty.
CREATE INDEX webhook_deliveries_adrift ON webhook_deliveries (id) WHERE due_at_ms IS NULL AND instance_no IS NULL
  AND status IN ('pending', 'sending', 'failed');
