const MINUTE_MS = 60_000;

/** `2026-11-20T19:00` as a time input has it, in the reader's own time zone; undefined when it is none. */
export function parseLocalTime(text: string): string | undefined {
  const ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(ms)
    ? new Date(ms).toISOString()
    : undefined;
}

/** For a time input: to the minute, in the reader's own time zone. */
export function toLocalTime(at: string | number | null): string {
  if (at === null) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** The same time of day, so many days later, whatever the clocks do in between. */
export function daysLater(local: string, days: number): string {
  const date = new Date(local);
  if (Number.isNaN(date.getTime())) return local;
  date.setDate(date.getDate() + days);
  return toLocalTime(date.getTime());
}

export const timeZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
