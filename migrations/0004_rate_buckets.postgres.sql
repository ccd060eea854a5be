-- Rate limits that hold over all processes. Not worth a write-ahead log: after a crash everybody starts with a full bucket.
CREATE UNLOGGED TABLE rate_buckets (
  id TEXT PRIMARY KEY,
  -- When the bucket will be full again, and how long an empty one takes.
  full_at DOUBLE PRECISION NOT NULL,
  empty_ms DOUBLE PRECISION NOT NULL
);
