/**
 * A sale whose ids are consecutive numbers, which a pgbench script can count through: fan n has place n, and the first
 * `held` fans hold seat n. All other values are as Foyer writes them.
 */
export const fixtureSql = (fans: number, seats: number, held: number): string => `
  INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
    SELECT n, n, n, n, 'CUSTOMER', '', 1 FROM generate_series(1, ${fans}) AS n;
  INSERT INTO wallets (user_id, balance, entry_count) SELECT n, 1000000, 1 FROM generate_series(1, ${fans}) AS n;
  INSERT INTO wallet_entries (user_id, position, id, type, amount, balance_after, created_at)
    SELECT n, 1, n, 'CHARGE', 1000000, 1000000, 1 FROM generate_series(1, ${fans}) AS n;
  INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', '', '', '', 'KRW', 1);
  INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections)
    VALUES ('d', 'c', ${FAR_FUTURE_MS}, ${seats}, '[]');
  INSERT INTO queues (concert_id, last_number, admitted_through, active_seconds, consume_on, hold_seconds,
      max_seats_per_user, paused, close_when_sold_out, closes_at)
    VALUES ('c', ${fans}, ${fans}, 86400, 'PAYMENT', 86400, 100, 0, 1, ${FAR_FUTURE_MS});
  INSERT INTO places (id, concert_id, user_id, number, status, joined_at, activated_at, expires_at, last_seen_at)
    SELECT n, 'c', n, n, 'ACTIVE', 1, 1, ${FAR_FUTURE_MS}, 1 FROM generate_series(1, ${fans}) AS n;
  INSERT INTO seats (id, schedule_id, position, section, row_name, number, label, grade, price, status,
      reservation_id, held_until)
    SELECT n, 'd', n, 'S', '1', n, 'S-1-' || n, 'STANDARD', 10000,
      CASE WHEN n <= ${held} THEN 'HELD' ELSE 'AVAILABLE' END,
      CASE WHEN n <= ${held} THEN n::text END, CASE WHEN n <= ${held} THEN ${FAR_FUTURE_MS} END
    FROM generate_series(1, ${seats}) AS n;
  INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_count, amount, currency, consume_on,
      status, created_at, expires_at, seat_labels)
    SELECT n, n, 'c', 'd', '[{"id":"' || n || '","label":"S-1","grade":"STANDARD","price":10000}]', 1, 10000, 'KRW',
      'PAYMENT', 'HELD', 1, ${FAR_FUTURE_MS}, 'S-1'
    FROM generate_series(1, ${held}) AS n;`;

/** A time that no run reaches. */
export const FAR_FUTURE_MS = 9_999_999_999_999;
