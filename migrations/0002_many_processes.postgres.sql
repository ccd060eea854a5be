-- What the processes that share this database tell each other. SQLite has one process, which needs no telling.
CREATE TABLE changes (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The transaction that wrote it: whether a process has seen it yet is asked by this.
  tx BIGINT NOT NULL DEFAULT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT),
  topic TEXT NOT NULL,
  change TEXT NOT NULL,
  published_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX changes_by_tx ON changes (tx);
CREATE INDEX changes_by_age ON changes (published_at);
