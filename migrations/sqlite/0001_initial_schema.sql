-- The schema on SQLite.
-- Times are milliseconds since the epoch, amounts are in the currency's minor unit. States are texts with a CHECK.
--
-- A partial index on a status has a second condition that is always true, such as `joined_at >= 0`. Only queries that
-- repeat it can use the index; all others find their rows by key. Without it, PostgreSQL with old statistics takes such
-- an index for empty and reads all of it to find one row: docs/adr/0015-stable-query-plans.md.

---- accounts ----

-- A person who can sign in.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  -- The normalised email address: one account for each.
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('CUSTOMER', 'OPERATOR')),
  -- NULL: invited, and has not chosen a password yet.
  password_hash TEXT,
  -- When the person used a link that was mailed to the address.
  email_verified_at BIGINT,
  -- Tokens carry the version at which they were issued. Raising it revokes every token issued before.
  credential_version BIGINT NOT NULL DEFAULT 0,
  -- When the version was last raised. NULL if no token with an older version can still be valid.
  credentials_changed_at BIGINT,
  created_at BIGINT NOT NULL,
  -- When the person was erased. The row stays as a pseudonym for receipts and wallet entries.
  erased_at BIGINT
);
CREATE INDEX users_credentials_changed ON users (credentials_changed_at) WHERE credentials_changed_at IS NOT NULL;

CREATE INDEX users_operators ON users (id) WHERE role = 'OPERATOR' AND created_at >= 0;

-- A secret link that was mailed to a person. The link contains the token, this row only its hash.
CREATE TABLE mailed_tokens (
  hash TEXT PRIMARY KEY,
  -- NULL: a reset for an unknown address, so that the request for it does the same work.
  user_id TEXT REFERENCES users (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('PASSWORD_RESET', 'OPERATOR_INVITATION', 'EMAIL_VERIFICATION')),
  expires_at BIGINT NOT NULL,
  -- Set by the first use, or when the link was replaced or withdrawn.
  used_at BIGINT
);
CREATE INDEX mailed_tokens_of_user ON mailed_tokens (user_id);
CREATE INDEX mailed_tokens_by_expiry ON mailed_tokens (expires_at);
CREATE INDEX mailed_invitations ON mailed_tokens (user_id)
  WHERE purpose = 'OPERATOR_INVITATION' AND expires_at >= 0;

-- A session that was signed out before its access token expires.
CREATE TABLE revoked_sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_sessions_by_expiry ON revoked_sessions (expires_at);

---- mail ----

-- A mail, written in the transaction of what causes it, and sent by any process.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- Contains a secret link, so it is deleted when the mail was sent or cannot be sent any more.
  body TEXT,
  -- DISCARDED: for an unknown address, so that a request for it does the same work.
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'SENT', 'FAILED', 'EXPIRED', 'DISCARDED')),
  attempts BIGINT NOT NULL,
  -- When the next attempt is due. While a process sends the mail: when its claim ends.
  due_at BIGINT NOT NULL,
  -- When the link in the mail expires.
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  CHECK ((status = 'PENDING') = (body IS NOT NULL))
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE status = 'PENDING' AND attempts >= 0;
CREATE INDEX outbox_expiring ON outbox (expires_at) WHERE status = 'PENDING' AND attempts >= 0;
CREATE INDEX outbox_by_age ON outbox (created_at, id);
CREATE INDEX outbox_of_recipient ON outbox (recipient);

---- catalog ----

-- A concert with one currency and an optional sales period.
CREATE TABLE concerts (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  venue TEXT NOT NULL,
  description TEXT NOT NULL,
  currency TEXT NOT NULL,
  sales_open_at BIGINT,
  sales_close_at BIGINT,
  created_at BIGINT NOT NULL,
  -- The venue's time zone, an IANA name.
  time_zone TEXT NOT NULL DEFAULT 'Asia/Seoul',
  -- Facts for fans. An age of 0: for all ages. Refund rules: a JSON array of {daysBefore, feePercent}.
  running_minutes BIGINT,
  min_age BIGINT,
  refund_rules TEXT NOT NULL DEFAULT '[]',
  -- JSON of {hash, mediaType, width, height}. NULL: it has none. The content is in posters.
  poster TEXT,
  -- BUILDING: its seats are being written, and nobody sees it. ABANDONED: it was not completed and is being deleted.
  -- DRAFT: operators see it. PUBLISHED: everybody does.
  state TEXT NOT NULL DEFAULT 'PUBLISHED' CHECK (state IN ('BUILDING', 'ABANDONED', 'DRAFT', 'PUBLISHED'))
);

-- The content of a concert's poster, in base64. A row of its own, because lists of concerts never read it. While a poster is
-- being replaced, the new content is written before the old one is deleted.
CREATE TABLE posters (
  concert_id TEXT NOT NULL REFERENCES concerts (id),
  hash TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (concert_id, hash)
);

-- One date of a concert.
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  concert_id TEXT NOT NULL REFERENCES concerts (id),
  starts_at BIGINT NOT NULL,
  -- How many seats the date has, and by section: a JSON array of {name, grade, price, seats}. The chart of a date never
  -- changes, so these are written once, and nothing has to count the seats.
  seats_total BIGINT NOT NULL CHECK (seats_total >= 1),
  sections TEXT NOT NULL
);
CREATE INDEX schedules_of_concert ON schedules (concert_id, starts_at);

-- One seat of one date. This row decides who has the seat now.
CREATE TABLE seats (
  id TEXT PRIMARY KEY,
  schedule_id TEXT NOT NULL REFERENCES schedules (id),
  -- The index of the seat in its date's seat map.
  position BIGINT NOT NULL,
  section TEXT NOT NULL,
  row_name TEXT NOT NULL,
  number BIGINT NOT NULL,
  -- What is written on the seat if that is more than its number, as in "12A".
  number_name TEXT,
  label TEXT NOT NULL,
  -- Coordinates in an imported seating plan, in hundredths of the distance between neighbours.
  -- NULL: Foyer lays the hall out.
  x BIGINT,
  y BIGINT,
  grade TEXT NOT NULL,
  price BIGINT NOT NULL CHECK (price >= 0),
  status TEXT NOT NULL CHECK (status IN ('AVAILABLE', 'HELD', 'SOLD')),
  reservation_id TEXT,
  held_until BIGINT,
  UNIQUE (schedule_id, position),
  -- A held or sold seat belongs to exactly one reservation, an available seat to none.
  CHECK ((status = 'AVAILABLE') = (reservation_id IS NULL)),
  -- Every hold has an end; an available or sold seat has none.
  CHECK ((status = 'HELD') = (held_until IS NOT NULL))
);
-- A date is sold out if it has no row here: exact, and as cheap for an arena as for a club. It also counts the held
-- seats of a date without reading the other ones.
CREATE INDEX seats_unsold ON seats (schedule_id, grade, price, status, held_until)
  WHERE status <> 'SOLD' AND price >= 0;

---- waiting room ----

-- The waiting room of one concert: how far its queue has advanced, and its policy.
CREATE TABLE queues (
  concert_id TEXT PRIMARY KEY REFERENCES concerts (id),
  -- The number of the last place that joined.
  last_number BIGINT NOT NULL DEFAULT 0,
  -- Every place up to this number has been admitted or has ended.
  admitted_through BIGINT NOT NULL DEFAULT 0,
  -- How many places were admitted. `admitted_through` also counts those that ended while they were waiting.
  admitted_count BIGINT NOT NULL DEFAULT 0,
  -- When the last join or admission happened. Clocks of several processes differ slightly; this time never goes back.
  moved_at BIGINT NOT NULL DEFAULT 0,
  -- When the idle time and the time to show up were last made shorter: they count from then on.
  idle_from BIGINT NOT NULL DEFAULT 0,
  show_up_from BIGINT NOT NULL DEFAULT 0,
  -- When the sale closes, copied from the concert: the transaction that locks this row knows whether the sale is open.
  closes_at BIGINT NOT NULL,
  -- Every seat of every date to come is sold.
  sold_out BIGINT NOT NULL DEFAULT 0 CHECK (sold_out IN (0, 1)),
  -- Every place up to this number that was still waiting has ended, because the sale closed.
  closed_through BIGINT NOT NULL DEFAULT 0,
  -- Up to this number, the rows of those places say so. The rest is marked in batches after the closing.
  closed_marked_through BIGINT NOT NULL DEFAULT 0,
  -- Ended places whose rows were deleted, counted so that totals stay exact.
  purged_done BIGINT NOT NULL DEFAULT 0,
  purged_expired BIGINT NOT NULL DEFAULT 0,
  purged_left BIGINT NOT NULL DEFAULT 0,
  purged_closed BIGINT NOT NULL DEFAULT 0,
  -- The policy.
  max_active BIGINT CHECK (max_active >= 0),
  admit_count BIGINT CHECK (admit_count >= 1),
  admit_every_seconds BIGINT CHECK (admit_every_seconds >= 1),
  active_seconds BIGINT NOT NULL CHECK (active_seconds >= 1),
  idle_seconds BIGINT CHECK (idle_seconds >= 1),
  show_up_seconds BIGINT CHECK (show_up_seconds >= 1),
  consume_on TEXT NOT NULL CHECK (consume_on IN ('PAYMENT', 'RESERVATION')),
  hold_seconds BIGINT NOT NULL CHECK (hold_seconds >= 1),
  max_seats_per_user BIGINT NOT NULL CHECK (max_seats_per_user >= 1),
  paused BIGINT NOT NULL CHECK (paused IN (0, 1)),
  close_when_sold_out BIGINT NOT NULL CHECK (close_when_sold_out IN (0, 1)),
  -- The promoter's message to waiting fans, as JSON: a text, or an object with a text for each language.
  notice TEXT,
  -- A number that nobody has cannot have been admitted.
  CHECK (admitted_through <= last_number),
  CHECK (closed_through <= last_number),
  CHECK (closed_marked_through <= closed_through),
  -- Admission in portions needs both the size and the period, or neither.
  CHECK ((admit_count IS NULL) = (admit_every_seconds IS NULL))
);

-- One fan's place in the queue of one concert.
CREATE TABLE places (
  id TEXT PRIMARY KEY,
  concert_id TEXT NOT NULL REFERENCES queues (concert_id),
  user_id TEXT NOT NULL REFERENCES users (id),
  number BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('WAITING', 'ACTIVE', 'DONE', 'EXPIRED', 'LEFT', 'CLOSED')),
  joined_at BIGINT NOT NULL,
  activated_at BIGINT,
  expires_at BIGINT,
  last_seen_at BIGINT,
  ended_at BIGINT,
  -- No two places of a queue have the same number.
  UNIQUE (concert_id, number),
  -- Exactly the places that are neither waiting nor active have ended.
  CHECK ((status IN ('WAITING', 'ACTIVE')) = (ended_at IS NULL)),
  -- An active place has the times by which it expires.
  CHECK (status <> 'ACTIVE' OR (activated_at IS NOT NULL AND expires_at IS NOT NULL AND last_seen_at IS NOT NULL))
);
-- A fan has at most one live place per concert.
CREATE UNIQUE INDEX one_live_place ON places (user_id, concert_id)
  WHERE status IN ('WAITING', 'ACTIVE') AND joined_at >= 0;
CREATE INDEX places_active ON places (concert_id, expires_at) WHERE status = 'ACTIVE' AND joined_at >= 0;
CREATE INDEX places_admitted ON places (concert_id, activated_at) WHERE activated_at IS NOT NULL;
CREATE INDEX places_ended ON places (concert_id, status, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX places_ended_of_user ON places (user_id, concert_id, number) WHERE ended_at IS NOT NULL;

---- reservations ----

-- The seats of one date that one fan holds, has paid for or has given up.
CREATE TABLE reservations (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  -- The concert of the schedule, repeated for the promoter's lists.
  concert_id TEXT NOT NULL,
  schedule_id TEXT NOT NULL REFERENCES schedules (id),
  -- The seats as they were when they were held: a JSON array of {id, label, grade, price}.
  -- The rows of `seats` say who has them now.
  seats TEXT NOT NULL,
  -- The labels of the seats, separated by "; ", for the operator's search.
  seat_labels TEXT NOT NULL,
  seat_count BIGINT NOT NULL CHECK (seat_count >= 1),
  amount BIGINT NOT NULL CHECK (amount >= 0),
  currency TEXT NOT NULL,
  -- What consumes the place, copied from the policy when the hold was made: a later change does not affect this hold.
  consume_on TEXT NOT NULL CHECK (consume_on IN ('PAYMENT', 'RESERVATION')),
  status TEXT NOT NULL CHECK (status IN ('HELD', 'CONFIRMED', 'EXPIRED', 'CANCELLED')),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
-- Finds the few rows from which the seats that a fan has of one date are counted.
CREATE INDEX reservations_of_user ON reservations (user_id, schedule_id);
CREATE INDEX reservations_of_concert ON reservations (concert_id, created_at, id);
CREATE INDEX reservations_held ON reservations (expires_at) WHERE status = 'HELD' AND seat_count >= 1;
CREATE INDEX reservations_ended ON reservations (expires_at, id)
  WHERE status IN ('EXPIRED', 'CANCELLED') AND seat_count >= 1;

-- Ended reservations whose rows were deleted, counted so that totals stay exact.
CREATE TABLE purged_reservations (
  concert_id TEXT PRIMARY KEY REFERENCES concerts (id),
  expired BIGINT NOT NULL,
  cancelled BIGINT NOT NULL
);

---- wallet ----

-- The balance of one user. It is always the sum of the wallet's entries.
CREATE TABLE wallets (
  user_id TEXT PRIMARY KEY REFERENCES users (id),
  -- Never below zero: concurrent payments cannot spend the same money.
  balance BIGINT NOT NULL CHECK (balance >= 0 AND balance <= 1000000000000),
  entry_count BIGINT NOT NULL,
  -- When the account was erased: nothing can be charged any more.
  closed_at BIGINT
);

-- One change of a balance. Entries are only added, never changed.
CREATE TABLE wallet_entries (
  user_id TEXT NOT NULL REFERENCES wallets (user_id),
  -- Counts the entries of this wallet from 1 without a gap: two concurrent changes cannot both be the next entry.
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('CHARGE', 'PAYMENT', 'REFUND', 'FORFEIT')),
  amount BIGINT NOT NULL,
  balance_after BIGINT NOT NULL CHECK (balance_after >= 0),
  reference TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, position)
);

---- payments ----

-- A paid reservation and its receipt.
CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  -- The number on the receipt.
  number TEXT NOT NULL UNIQUE,
  -- A reservation is paid at most once.
  reservation_id TEXT NOT NULL UNIQUE REFERENCES reservations (id),
  -- Both are copies of the reservation's, which references the user and, with its date, the concert.
  user_id TEXT NOT NULL,
  concert_id TEXT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount >= 0),
  -- The receipt as JSON. It never changes, not even by a refund.
  receipt TEXT NOT NULL,
  paid_at BIGINT NOT NULL,
  refunded_at BIGINT
);
CREATE INDEX payments_of_user ON payments (user_id, paid_at, id);
-- Ends with the columns of the query that sums up the revenue of a running sale every few seconds.
CREATE INDEX payments_of_concert ON payments (concert_id, paid_at, id, refunded_at, amount);

---- operator ----

-- The state of a sale at the end of a period of ten seconds. `joined_count` and `admitted_count` are totals: the
-- difference to the sample before counts each fan once, no matter which process served them.
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
  -- The most that were waiting and active in any sample so far.
  peak_waiting BIGINT NOT NULL,
  peak_active BIGINT NOT NULL,
  -- JSON: how many of the fans admitted so far waited how long, per bucket.
  wait_counts TEXT NOT NULL,
  -- One sample per period, also with several processes.
  PRIMARY KEY (concert_id, taken_at)
);
CREATE INDEX samples_by_age ON samples (taken_at);
-- Samples that condensing deletes: after two hours one per minute is kept, after two days one per ten minutes.
CREATE INDEX samples_within_minutes ON samples (taken_at) WHERE taken_at % 60000 <> 0;
CREATE INDEX samples_within_ten_minutes ON samples (taken_at) WHERE taken_at % 600000 <> 0;

-- The report of a sale that has ended, written once. If the sale is reopened, it is replaced at the next end.
CREATE TABLE sale_reports (
  concert_id TEXT PRIMARY KEY REFERENCES concerts (id),
  -- The end of the sale that it reports. Another end of the same sale needs another report.
  closed_at BIGINT NOT NULL,
  -- The report as JSON.
  report TEXT NOT NULL,
  written_at BIGINT NOT NULL
);

-- One action that the audit log records: a change, a sign-in of an operator, a search or an export of personal data.
CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  -- NULL: the action does not belong to one concert.
  concert_id TEXT REFERENCES concerts (id),
  -- NULL: the command line.
  actor_id TEXT REFERENCES users (id),
  action TEXT NOT NULL CHECK (action IN
    ('CONCERT_CREATED', 'CONCERT_EDITED', 'POLICY_CHANGED', 'PAYMENT_REFUNDED', 'CONCERT_DUPLICATED', 'CONCERT_PUBLISHED',
     'SALES_SEARCHED', 'SALES_EXPORTED', 'OPERATOR_SIGNED_IN', 'OPERATOR_SIGN_IN_FAILED',
     'OPERATOR_INVITED', 'OPERATOR_ADDED', 'OPERATOR_REMOVED', 'PERSONAL_DATA_EXPORTED', 'ACCOUNT_ERASED')),
  -- JSON: what changed, for an edit each field with its old and its new value; what was searched or exported.
  details TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX audit_entries_of_concert ON audit_entries (concert_id, created_at, id);
CREATE INDEX audit_entries_of_actor ON audit_entries (actor_id, created_at, id);
CREATE INDEX audit_entries_by_age ON audit_entries (created_at, id);

---- http ----

-- The stored response to a request with an idempotency key.
CREATE TABLE idempotency_keys (
  user_id TEXT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  -- The same key with another request is refused.
  request_hash TEXT NOT NULL,
  status BIGINT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- A key is used once per user: of concurrent requests with the same key, one takes effect.
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- A network from which an account has signed in. Strangers who guess its password cannot lock this network out.
CREATE TABLE known_networks (
  -- A digest of the e-mail address and the network.
  id TEXT PRIMARY KEY,
  used_at BIGINT NOT NULL
);
CREATE INDEX known_networks_by_age ON known_networks (used_at);
