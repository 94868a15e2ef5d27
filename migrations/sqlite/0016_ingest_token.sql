-- What a token opens: 'all', or 'ingest' for POST /ingest and its like. is_kept: 1 for the one made at the first start, whose
-- secret also stands in a file until it is rotated or revoked.
ALTER TABLE http_tokens ADD COLUMN opens TEXT NOT NULL DEFAULT 'all' CHECK (opens IN ('all', 'ingest'));
ALTER TABLE http_tokens ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 0;
