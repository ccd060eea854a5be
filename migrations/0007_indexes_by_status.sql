-- A statement that names a row by its key and asks for its status must find it by the key. It may not be served by an
-- index of the rows with that status: where statistics are older than the rush, PostgreSQL takes such an index to be
-- empty, and reads all of it for each hold. So each of them asks for one thing more, which is always true and which
-- only the queries it is made for ask for as well.
DROP INDEX seats_unsold;
-- Sold out is "no row here": exact, and as cheap for an arena as for a club.
CREATE INDEX seats_unsold ON seats (schedule_id) WHERE status <> 'SOLD' AND price >= 0;
DROP INDEX one_live_place;
CREATE UNIQUE INDEX one_live_place ON places (user_id, concert_id)
  WHERE status IN ('WAITING', 'ACTIVE') AND joined_at >= 0;
DROP INDEX places_active;
CREATE INDEX places_active ON places (concert_id) WHERE status = 'ACTIVE' AND joined_at >= 0;
DROP INDEX reservations_held;
CREATE INDEX reservations_held ON reservations (expires_at) WHERE status = 'HELD' AND seat_count >= 1;
