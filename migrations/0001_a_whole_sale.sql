-- Written in the subset of SQL that SQLite and PostgreSQL share. Times are milliseconds since the epoch.

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('CUSTOMER', 'OPERATOR')),
  password_hash TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE concerts (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  venue TEXT NOT NULL,
  description TEXT NOT NULL,
  currency TEXT NOT NULL,
  sales_open_at BIGINT,
  sales_close_at BIGINT,
  created_at BIGINT NOT NULL
);

CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  concert_id TEXT NOT NULL REFERENCES concerts (id),
  starts_at BIGINT NOT NULL
);
CREATE INDEX schedules_of_concert ON schedules (concert_id, starts_at);

CREATE TABLE seats (
  id TEXT PRIMARY KEY,
  schedule_id TEXT NOT NULL REFERENCES schedules (id),
  position BIGINT NOT NULL,
  section TEXT NOT NULL,
  row_name TEXT NOT NULL,
  number BIGINT NOT NULL,
  label TEXT NOT NULL,
  grade TEXT NOT NULL,
  price BIGINT NOT NULL CHECK (price >= 0),
  status TEXT NOT NULL CHECK (status IN ('AVAILABLE', 'HELD', 'SOLD')),
  reservation_id TEXT,
  held_until BIGINT,
  UNIQUE (schedule_id, position),
  CHECK ((status = 'AVAILABLE') = (reservation_id IS NULL)),
  CHECK ((status = 'HELD') = (held_until IS NOT NULL))
);
-- Sold out is "no row here": exact, and as cheap for an arena as for a club.
CREATE INDEX seats_unsold ON seats (schedule_id) WHERE status <> 'SOLD';

-- One row a concert: the end of its line, how far it has been admitted, and its policy.
CREATE TABLE queues (
  concert_id TEXT PRIMARY KEY REFERENCES concerts (id),
  last_number BIGINT NOT NULL DEFAULT 0,
  admitted_through BIGINT NOT NULL DEFAULT 0,
  max_active BIGINT CHECK (max_active >= 0),
  admit_count BIGINT CHECK (admit_count >= 1),
  admit_every_seconds BIGINT CHECK (admit_every_seconds >= 1),
  active_seconds BIGINT NOT NULL CHECK (active_seconds >= 1),
  idle_seconds BIGINT CHECK (idle_seconds >= 1),
  consume_on TEXT NOT NULL CHECK (consume_on IN ('PAYMENT', 'RESERVATION')),
  hold_seconds BIGINT NOT NULL CHECK (hold_seconds >= 1),
  max_seats_per_user BIGINT NOT NULL CHECK (max_seats_per_user >= 1),
  paused BIGINT NOT NULL CHECK (paused IN (0, 1)),
  -- Ended places that have been tidied away, so that totals stay exact.
  purged_done BIGINT NOT NULL DEFAULT 0,
  purged_expired BIGINT NOT NULL DEFAULT 0,
  purged_left BIGINT NOT NULL DEFAULT 0,
  CHECK (admitted_through <= last_number),
  CHECK ((admit_count IS NULL) = (admit_every_seconds IS NULL))
);

CREATE TABLE places (
  id TEXT PRIMARY KEY,
  concert_id TEXT NOT NULL REFERENCES queues (concert_id),
  user_id TEXT NOT NULL REFERENCES users (id),
  number BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('WAITING', 'ACTIVE', 'DONE', 'EXPIRED', 'LEFT')),
  joined_at BIGINT NOT NULL,
  activated_at BIGINT,
  expires_at BIGINT,
  last_seen_at BIGINT,
  ended_at BIGINT,
  UNIQUE (concert_id, number),
  CHECK ((status IN ('WAITING', 'ACTIVE')) = (ended_at IS NULL)),
  CHECK (status <> 'ACTIVE' OR (activated_at IS NOT NULL AND expires_at IS NOT NULL AND last_seen_at IS NOT NULL))
);
CREATE UNIQUE INDEX one_live_place ON places (user_id, concert_id) WHERE status IN ('WAITING', 'ACTIVE');
CREATE INDEX places_active ON places (concert_id) WHERE status = 'ACTIVE';
CREATE INDEX places_admitted ON places (concert_id, activated_at) WHERE activated_at IS NOT NULL;
CREATE INDEX places_ended ON places (concert_id, status, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX places_ended_of_user ON places (user_id, concert_id, number) WHERE ended_at IS NOT NULL;

CREATE TABLE reservations (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  -- The schedule's, kept here for the promoter's lists.
  concert_id TEXT NOT NULL,
  schedule_id TEXT NOT NULL REFERENCES schedules (id),
  -- What was held, as it was then: a JSON array of {id, label, grade, price}. Whose a seat is now, the seat's row says.
  seats TEXT NOT NULL,
  seat_count BIGINT NOT NULL CHECK (seat_count >= 1),
  amount BIGINT NOT NULL CHECK (amount >= 0),
  currency TEXT NOT NULL,
  -- The room's policy when it was made: which success uses the place up. A later change does not strand it.
  consume_on TEXT NOT NULL CHECK (consume_on IN ('PAYMENT', 'RESERVATION')),
  status TEXT NOT NULL CHECK (status IN ('HELD', 'CONFIRMED', 'EXPIRED', 'CANCELLED')),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
-- Wide enough that the seats a user has of a date are counted from the index alone.
CREATE INDEX reservations_of_user ON reservations (user_id, schedule_id, status, expires_at, seat_count);
CREATE INDEX reservations_of_concert ON reservations (concert_id, created_at, id);
CREATE INDEX reservations_held ON reservations (expires_at) WHERE status = 'HELD';

CREATE TABLE wallets (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  balance BIGINT NOT NULL CHECK (balance >= 0 AND balance <= 1000000000000),
  entry_count BIGINT NOT NULL
);

CREATE TABLE wallet_entries (
  user_id TEXT NOT NULL REFERENCES wallets (user_id),
  -- The wallet's own count, without a gap.
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('CHARGE', 'PAYMENT', 'REFUND')),
  amount BIGINT NOT NULL,
  balance_after BIGINT NOT NULL CHECK (balance_after >= 0),
  reference TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, position)
);

CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  reservation_id TEXT NOT NULL UNIQUE REFERENCES reservations (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  concert_id TEXT NOT NULL REFERENCES concerts (id),
  amount BIGINT NOT NULL CHECK (amount >= 0),
  receipt TEXT NOT NULL,
  paid_at BIGINT NOT NULL
);
CREATE INDEX payments_of_user ON payments (user_id, paid_at, id);
CREATE INDEX payments_of_concert ON payments (concert_id, paid_at, id);

CREATE TABLE idempotency_keys (
  user_id TEXT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status BIGINT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
