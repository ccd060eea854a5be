const MINUTE_MS = 60_000;

/** Parses the value of a time input, `2026-11-20T19:00`, in the user's time zone; undefined if it is invalid. */
export function parseLocalTime(text: string): string | undefined {
  const ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(ms)
    ? new Date(ms).toISOString()
    : undefined;
}

/** The value of a time input: to the minute, in the user's time zone. */
export function toLocalTime(at: string | number | null): string {
  if (at === null) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** The same time of day some days later, also across a change to or from summer time. */
export function addDays(local: string, days: number): string {
  const date = new Date(local);
  if (Number.isNaN(date.getTime())) return local;
  date.setDate(date.getDate() + days);
  return toLocalTime(date.getTime());
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

export const timeZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
