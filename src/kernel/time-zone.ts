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
