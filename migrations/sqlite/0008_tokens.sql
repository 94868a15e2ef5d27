-- Tokens of the HTTP interface. Rows stay for good: a name in the audit keeps its meaning, and a door that once asked
-- for a token does not open by itself when the last one is revoked. rate_per_second: NULL is what the configuration says.
CREATE TABLE http_tokens (
  no              INTEGER PRIMARY KEY AUTOINCREMENT,
  name            TEXT NOT NULL,
  rate_per_second REAL,
  created_at_ms   INTEGER NOT NULL,
  created_by      TEXT NOT NULL,
  revoked_at_ms   INTEGER,
  last_used_at_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX http_tokens_name ON http_tokens (name) WHERE revoked_at_ms IS NULL;

-- The secrets of a token, as SHA-256 only. After a rotation the older one has an end.
CREATE TABLE http_token_secrets (
  sha256         BLOB PRIMARY KEY NOT NULL,
  token_no       INTEGER NOT NULL,
  created_at_ms  INTEGER NOT NULL,
  valid_until_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX http_token_secrets_token ON http_token_secrets (token_no);
