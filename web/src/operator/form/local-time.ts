const DAY_MS = 86_400_000;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** The value of a time input, `2026-11-20T19:00`, read as if it were UTC; undefined if it is no time. */
function readClock(text: string): number | undefined {
  const ms = LOCAL_TIME.test(text) ? Date.parse(`${text}Z`) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
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
  return clockMs - Math.floor(atMs / 1000) * 1000;
}

export const isLocalTime = (text: string): boolean => readClock(text) !== undefined;

/**
 * Parses the value of a time input in a time zone; undefined if it is no time. When clocks are set back, a time that occurs
 * twice is the earlier one; a time that is skipped when they are set forward is moved forward.
 */
export function parseLocalTime(text: string, timeZone: string): string | undefined {
  const clockMs = readClock(text);
  if (clockMs === undefined) return undefined;
  const before = offsetMs(clockMs - DAY_MS, timeZone);
  const after = offsetMs(clockMs + DAY_MS, timeZone);
  const fitting = [before, after]
    .filter((offset) => offsetMs(clockMs - offset, timeZone) === offset)
    .map((offset) => clockMs - offset);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : clockMs - before).toISOString();
}

/** The value of a time input: to the minute, in a time zone. */
export function toLocalTime(at: string | null, timeZone: string): string {
  if (at === null) return '';
  const ms = Date.parse(at);
  return new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 16);
}

/** The same time of day some days later. */
export function addDays(local: string, days: number): string {
  const clockMs = readClock(local);
  return clockMs === undefined ? local : new Date(clockMs + days * DAY_MS).toISOString().slice(0, 16);
}

/** Whether this browser knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** The names to choose from. */
export const timeZones = (): readonly string[] => Intl.supportedValuesOf('timeZone');
