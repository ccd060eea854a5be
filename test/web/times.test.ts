import { describe, expect, it } from 'vitest';
import { formatDate } from '../../web/src/i18n/format.js';
import { formatSeats } from '../../web/src/i18n/seat-words.js';
import { addDays, parseLocalTime, toLocalTime } from '../../web/src/operator/form/local-time.js';

describe('a time of a concert', () => {
  const seven = '2026-11-20T10:00:00.000Z';
  const userZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  it('is shown in the time zone of the venue, with its name where the user’s clock shows another time', () => {
    expect(formatDate('en', seven, 'full', 'Pacific/Kiritimati')).toMatch(
      /21 November 2026 at 00:00 \(Kiritimati Time\)$/,
    );
    expect(formatDate('ko', seven, 'short', 'Pacific/Kiritimati')).toMatch(/11\. 21\. .* 시간\)$/);
    expect(formatDate('en', seven, 'full', userZone)).toBe(formatDate('en', seven, 'full'));
  });

  it('is shown in UTC where the browser does not know the time zone', () => {
    const unknown = formatDate('en', '2026-11-20T10:00:00.000Z', 'clock', 'Mars/Base');
    expect(unknown).toMatch(/^10:00/);
  });
});

describe('a time in the promoter’s form', () => {
  it.each([
    ['2026-11-20T19:00', 'Asia/Seoul', '2026-11-20T10:00:00.000Z'],
    ['2026-07-01T19:00', 'America/New_York', '2026-07-01T23:00:00.000Z'],
    ['2026-12-01T19:00', 'America/New_York', '2026-12-02T00:00:00.000Z'],
    ['2026-11-20T00:30', 'Asia/Kathmandu', '2026-11-19T18:45:00.000Z'],
  ])('%s in %s is %s, and the other way round', (local, zone, utc) => {
    expect(parseLocalTime(local, zone)).toBe(utc);
    expect(toLocalTime(utc, zone)).toBe(local);
  });

  it('is the earlier one where clocks are set back, and moves forward where they are set forward', () => {
    expect(parseLocalTime('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    expect(parseLocalTime('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  });

  it('is refused if it is no time, and keeps its time of day some days later', () => {
    expect(parseLocalTime('', 'Asia/Seoul')).toBeUndefined();
    expect(parseLocalTime('tomorrow', 'Asia/Seoul')).toBeUndefined();
    expect(addDays('2026-12-31T19:00', 1)).toBe('2027-01-01T19:00');
    expect(addDays('', 1)).toBe('');
  });
});

describe('seats in words', () => {
  const seat = (section: string, row: string, number: string) => ({ section, row, number });

  it('name the section, row and number', () => {
    expect(formatSeats('ko', [seat('F2', '10', '13')])).toBe('F2구역 10열 13번');
    expect(formatSeats('ko', [seat('가구역', '나열', '1번')])).toBe('가구역 나열 1번');
    expect(formatSeats('en', [seat('F2', '10', '13')])).toBe('Section F2, row 10, seat 13');
  });

  it('name each row once', () => {
    const seats = [seat('F2', '10', '13'), seat('F2', '10', '14'), seat('F2', '11', '1')];
    expect(formatSeats('ko', seats)).toBe('F2구역 10열 13번, 14번 · F2구역 11열 1번');
    expect(formatSeats('en', seats)).toBe('Section F2, row 10, seats 13, 14 · Section F2, row 11, seat 1');
  });
});
