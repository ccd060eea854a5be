-- When a payment was given back. The receipt itself stays as it was written.
ALTER TABLE payments ADD COLUMN refunded_at BIGINT;
-- A running sale's revenue is asked for every few seconds: summed from here, without a look at the receipts.
CREATE INDEX payments_kept ON payments (concert_id, refunded_at, amount);

-- How many were ever let in: `admitted_through` also counts those who left before their turn.
ALTER TABLE queues ADD COLUMN admitted_count BIGINT NOT NULL DEFAULT 0;

-- How a sale stood at the end of each period of ten seconds. Joined and admitted are totals: how many in a period is the
-- difference to the sample before, so nobody is counted twice or missed, whichever process took them.
CREATE TABLE samples (
  concert_id TEXT NOT NULL REFERENCES concerts (id),
  taken_at BIGINT NOT NULL,
  waiting BIGINT NOT NULL,
  active BIGINT NOT NULL,
  joined_count BIGINT NOT NULL,
  admitted_count BIGINT NOT NULL,
  seats_held BIGINT NOT NULL,
  seats_sold BIGINT NOT NULL,
  revenue BIGINT NOT NULL,
  PRIMARY KEY (concert_id, taken_at)
);
CREATE INDEX samples_by_age ON samples (taken_at);
-- What the first sample of a line that is there already counts from.
INSERT INTO samples (concert_id, taken_at, waiting, active, joined_count, admitted_count, seats_held, seats_sold, revenue)
  SELECT concert_id, 0, 0, 0, last_number, 0, 0, 0, 0 FROM queues;

-- Who changed what; an actor of NULL is the command line.
CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  concert_id TEXT NOT NULL REFERENCES concerts (id),
  actor_id TEXT REFERENCES users (id),
  action TEXT NOT NULL CHECK (action IN
    ('CONCERT_CREATED', 'CONCERT_EDITED', 'POLICY_CHANGED', 'PAYMENT_REFUNDED', 'CONCERT_DUPLICATED')),
  -- JSON: the fields that changed, from what to what.
  details TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX audit_entries_of_concert ON audit_entries (concert_id, created_at, id);
