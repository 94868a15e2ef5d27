-- The same rows with a condition that is compared, where IN over a list builds a table for each delivery that ends.
DROP INDEX webhook_deliveries_adrift;
CREATE INDEX webhook_deliveries_adrift ON webhook_deliveries (id) WHERE due_at_ms IS NULL AND instance_no IS NULL
  AND (status = 'pending' OR status = 'sending' OR status = 'failed');
