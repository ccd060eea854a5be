import { describe, expect, it } from 'vitest';
import { type ConcertFilter, matchesFilter, NO_FILTER } from '../../web/src/operator/concert-filter.js';
import { DEFAULT_POLICY } from '../../web/src/operator/form/policy/policy-draft.js';
import type { OperatorConcert } from '../../web/src/operator/operator-api.js';
import { countByGrade } from '../../web/src/operator/live/count-by-grade.js';

const NOW_MS = Date.parse('2027-01-01T00:00:00.000Z');
const CONCERT: OperatorConcert = {
  id: 'c',
  title: 'Autumn Night',
  venue: '큰 홀',
  description: '',
  currency: 'KRW',
  timeZone: 'Asia/Seoul',
  runningMinutes: null,
  minAge: null,
  refundRules: [],
  poster: null,
  draft: false,
  salesOpenAt: null,
  salesCloseAt: null,
  soldOut: false,
  waitingRoom: DEFAULT_POLICY,
  dates: 2,
  // 1 and 3 February in Seoul.
  firstStartsAt: '2027-01-31T15:30:00.000Z',
  lastStartsAt: '2027-02-03T10:00:00.000Z',
  seatsTotal: 20,
  seatsSold: 0,
  revenue: 0,
  waiting: 0,
  active: 0,
};
const matches = (filter: Partial<ConcertFilter>, part: Partial<OperatorConcert> = {}): boolean =>
  matchesFilter({ ...CONCERT, ...part }, { ...NO_FILTER, ...filter }, NOW_MS);

describe('the filter of the concert list', () => {
  it('compares days at the venue', () => {
    expect(matches({ from: '2027-02-01', to: '2027-02-01' })).toBe(true);
    expect(matches({ to: '2027-01-31' })).toBe(false);
    expect(matches({ from: '2027-02-03' })).toBe(true);
    expect(matches({ from: '2027-02-04' })).toBe(false);
    expect(matches({ from: '2027-02-02', to: '2027-02-02' })).toBe(true);
  });

  it('searches title and venue', () => {
    expect(matches({ search: ' autumn ' })).toBe(true);
    expect(matches({ search: '큰 홀' })).toBe(true);
    expect(matches({ search: 'spring' })).toBe(false);
  });

  it.each([
    ['DRAFT', { draft: true, soldOut: true }],
    ['SOLD_OUT', { soldOut: true }],
    ['OPEN', {}],
    ['BEFORE', { salesOpenAt: '2027-01-02T00:00:00.000Z' }],
    ['PAUSED', { waitingRoom: { ...DEFAULT_POLICY, paused: true } }],
    // The last date has begun.
    ['CLOSED', { lastStartsAt: '2026-12-31T00:00:00.000Z' }],
    ['CLOSED', { soldOut: true, lastStartsAt: '2026-12-31T00:00:00.000Z' }],
  ] as const)('knows the state %s', (state, part) => {
    expect(matches({ state }, part)).toBe(true);
    expect(matches({ state: state === 'OPEN' ? 'CLOSED' : 'OPEN' }, part)).toBe(false);
  });
});

it('seats are counted by grade and price', () => {
  const seats = { count: 5, grade: Uint16Array.of(0, 1, 1, 1, 0) };
  const grades = [
    { grade: 'VIP', price: 200 },
    { grade: 'R', price: 100 },
  ];
  const states = { codes: Uint8Array.of(2, 0, 1, 2, 2) };
  expect(countByGrade({ grades, seats }, states)).toEqual([
    { grade: 'VIP', price: 200, sold: 2, held: 0, free: 0 },
    { grade: 'R', price: 100, sold: 1, held: 1, free: 1 },
  ]);
});
