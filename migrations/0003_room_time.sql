-- The time of the last join or admission. Clocks of several processes differ by a little; a line's own time never goes back.
ALTER TABLE queues ADD COLUMN moved_at BIGINT NOT NULL DEFAULT 0;
