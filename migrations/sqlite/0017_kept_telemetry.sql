-- The rows up to kept_until, which retention leaves alone: what telemetry_bytes allows is for the others. Nothing: not counted
-- yet (core/db/telemetry_table counts, and makes its triggers anew).
ALTER TABLE telemetry_size ADD COLUMN kept_rows INTEGER;
ALTER TABLE telemetry_size ADD COLUMN kept_bytes INTEGER;

DROP TRIGGER IF EXISTS telemetry_leave;
DROP TRIGGER IF EXISTS telemetry_change;
