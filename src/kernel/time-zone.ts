import { DAY_MS, SECOND_MS } from './time.js';

/** A name from the IANA time zone database, such as `Asia/Seoul`. An offset such as `+09:00` is none. */
export const TIME_ZONE_PATTERN = '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$';
export const TIME_ZONE_MAX = 64;

export function isTimeZone(name: string): boolean {
  if (name.length > TIME_ZONE_MAX || !new RegExp(TIME_ZONE_PATTERN).test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The same time of day some days later, as the clocks of a time zone show it. Where clocks are set back, a time that occurs
 * twice is the earlier one; a time that is skipped when they are set forward is moved forward.
 */
export function addDays(ms: number, days: number, timeZone: string): number {
  const clockMs = ms + offsetMs(ms, timeZone) + days * DAY_MS;
  const before = offsetMs(clockMs - DAY_MS, timeZone);
  const after = offsetMs(clockMs + DAY_MS, timeZone);
  const fitting = [before, after]
    .filter((offset) => offsetMs(clockMs - offset, timeZone) === offset)
    .map((offset) => clockMs - offset);
  return fitting.length > 0 ? Math.min(...fitting) : clockMs - before;
}

/** How far the clocks of a time zone are ahead of UTC at an instant. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const part = (wanted: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find(({ type }) => type === wanted)?.value);
  const clockMs = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return clockMs - Math.floor(atMs / SECOND_MS) * SECOND_MS;
}
