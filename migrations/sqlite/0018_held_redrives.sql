-- held_until_ms: before which nothing of it begins, so that whoever asked for it can take it back; nothing: it was not
-- held, or is to begin now. undone_at_ms: when it was taken back. Unix time.
ALTER TABLE redrives ADD COLUMN held_until_ms INTEGER;
ALTER TABLE redrives ADD COLUMN undone_at_ms INTEGER;
