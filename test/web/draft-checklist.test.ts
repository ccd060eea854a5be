import { describe, expect, it } from 'vitest';
import { checkDraft, type Checked } from '../../web/src/operator/draft/checklist.js';
import { DEFAULT_POLICY } from '../../web/src/operator/form/policy/policy-draft.js';

const NOW_MS = Date.parse('2027-01-01T00:00:00.000Z');
const AFTER = '2027-02-01T10:00:00.000Z';
const BEFORE = '2026-12-01T10:00:00.000Z';

function check(
  part: Partial<Checked>,
  { starts = [AFTER], price = 100 }: { starts?: readonly string[]; price?: number } = {},
) {
  const schedules = starts.map((startsAt) => ({
    startsAt,
    sections: [{ name: 'A', price }],
  }));
  const concert = {
    salesOpenAt: '2027-01-02T00:00:00.000Z',
    salesCloseAt: null,
    waitingRoom: DEFAULT_POLICY,
    schedules,
    ...part,
  };
  return Object.fromEntries(checkDraft(concert, NOW_MS).map((finding) => [finding.about, finding]));
}

describe('the checklist of a draft', () => {
  it('finds nothing in a concert that opens later, with prices and dates to come', () => {
    expect(Object.values(check({})).map(({ level }) => level)).toEqual(['OK', 'OK', 'OK', 'OK']);
  });

  it('accepts dates that have begun as long as one is left', () => {
    expect(check({}, { starts: [BEFORE, AFTER] })['dates']).toMatchObject({ level: 'CHECK', begun: 1 });
    expect(check({}, { starts: [BEFORE] })).toMatchObject({
      dates: { level: 'PROBLEM' },
      opening: { level: 'PROBLEM', says: 'HAS_ENDED' },
    });
  });

  it('points out seats that cost nothing', () => {
    expect(check({}, { price: 0 })['prices']).toMatchObject({ level: 'CHECK', free: ['A'] });
  });

  it.each([
    [{ salesOpenAt: null }, 'CHECK', 'OPENS_AT_ONCE'],
    [{ salesOpenAt: BEFORE }, 'CHECK', 'OPENS_AT_ONCE'],
    [{ salesOpenAt: '2027-02-01T10:00:00.000Z' }, 'PROBLEM', 'OPENS_TOO_LATE'],
    [{ salesCloseAt: BEFORE }, 'PROBLEM', 'HAS_ENDED'],
  ])('judges the sale times %j', (times, level, says) => {
    expect(check(times)['opening']).toEqual({ about: 'opening', level, says });
  });

  it.each([
    [{ paused: true }, 'PAUSED'],
    [{ maxActive: 0 }, 'ADMITS_NOBODY'],
    [{ maxActive: null }, 'NO_LIMIT'],
    [{ activeSeconds: 60, holdSeconds: 120 }, 'TOO_SHORT_TO_PAY'],
  ])('points out the policy %j', (part, says) => {
    expect(check({ waitingRoom: { ...DEFAULT_POLICY, ...part } })['policy']).toMatchObject({
      level: 'CHECK',
      says,
    });
  });
});
