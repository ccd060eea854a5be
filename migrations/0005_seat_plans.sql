-- Where a seat of an imported plan stands, in hundredths of the distance between neighbours; NULL where Foyer lays the hall out itself.
ALTER TABLE seats ADD COLUMN x BIGINT;
ALTER TABLE seats ADD COLUMN y BIGINT;
-- What stands on the seat where that is more than its number, as in "12A".
ALTER TABLE seats ADD COLUMN number_name TEXT;
