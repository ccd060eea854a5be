import { describe, expect, it } from 'vitest';
import { forecastWait, forecastSellOut } from '../../web/src/operator/live/forecast.js';
import {
  lastOfEachMinute,
  mergeSamples,
  type Sample,
  toSamples,
} from '../../web/src/operator/live/samples.js';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z');

const sample = (minutesAgo: number, part: Partial<Sample> = {}): Sample => ({
  atMs: NOW_MS - minutesAgo * MINUTE_MS,
  waiting: 0,
  active: 0,
  joined: 0,
  admitted: 0,
  held: 0,
  sold: 0,
  revenue: 0,
  ...part,
});

const OPEN = { paused: false, maxActive: 100, admitCount: null, admitEverySeconds: null };

describe('the samples of a sale', () => {
  it('sum joins and admissions over the minute before each sample', () => {
    const items = Array.from({ length: 12 }, (_, index) => ({
      at: new Date(NOW_MS + index * 10_000).toISOString(),
      waiting: 0,
      active: 0,
      joined: 2,
      admitted: index < 6 ? 1 : 0,
      seatsHeld: 0,
      seatsSold: index,
      revenue: index * 1000,
    }));
    const samples = toSamples({ everySeconds: 10, items });
    expect(samples.map(({ joined }) => joined)).toEqual([2, 4, 6, 8, 10, 12, 12, 12, 12, 12, 12, 12]);
    expect(samples.at(-1)).toMatchObject({ admitted: 0, sold: 11, revenue: 11_000 });
  });

  it('merge stored and newer polled samples of the last hour', () => {
    const joined = mergeSamples([sample(61), sample(2)], [sample(3), sample(1)], NOW_MS);
    expect(joined.map(({ atMs }) => (NOW_MS - atMs) / MINUTE_MS)).toEqual([2, 1]);
  });

  it('are reduced to the last one of each minute, newest first', () => {
    expect(
      lastOfEachMinute([sample(2), sample(1.5), sample(0)]).map(({ atMs }) => (NOW_MS - atMs) / MINUTE_MS),
    ).toEqual([0, 1.5]);
  });
});

describe('the sell-out forecast', () => {
  it('extrapolates the sales of the last ten minutes', () => {
    const samples = [sample(30, { sold: 0 }), sample(10, { sold: 100 }), sample(0, { sold: 200 })];
    expect(forecastSellOut(samples, 300, NOW_MS)).toEqual({
      kind: 'at',
      atMs: NOW_MS + 10 * MINUTE_MS,
      perMinute: 10,
    });
  });

  it('is unknown without sales or with a single sample', () => {
    expect(forecastSellOut([sample(5, { sold: 9 }), sample(0, { sold: 9 })], 10, NOW_MS)).toEqual({
      kind: 'unknown',
    });
    expect(forecastSellOut([sample(0, { sold: 9 })], 10, NOW_MS)).toEqual({ kind: 'unknown' });
    expect(forecastSellOut([], 10, NOW_MS)).toEqual({ kind: 'unknown' });
  });

  it('says sold out when no seat is left', () => {
    expect(forecastSellOut([sample(0, { sold: 10 })], 10, NOW_MS)).toEqual({ kind: 'soldOut' });
  });
});

describe('the wait forecast', () => {
  it('divides the waiting fans by the recent admissions per minute', () => {
    const samples = [sample(1, { waiting: 90, admitted: 20 }), sample(0, { waiting: 60, admitted: 40 })];
    expect(forecastWait(samples, OPEN, NOW_MS)).toEqual({ kind: 'wait', waitMs: 2 * MINUTE_MS });
  });

  it('says stalled without admissions, paused in a paused sale and none with an empty queue', () => {
    expect(forecastWait([sample(0, { waiting: 5 })], OPEN, NOW_MS)).toEqual({ kind: 'stalled' });
    expect(forecastWait([sample(0, { waiting: 5 })], { ...OPEN, paused: true }, NOW_MS)).toEqual({
      kind: 'paused',
    });
    expect(forecastWait([sample(0)], OPEN, NOW_MS)).toEqual({ kind: 'none' });
    const moving = [sample(0, { waiting: 5, admitted: 3 })];
    expect(forecastWait(moving, { ...OPEN, maxActive: 0 }, NOW_MS)).toEqual({ kind: 'stalled' });
  });

  it('uses the rate of the policy unless all slots are taken', () => {
    const rate = { ...OPEN, admitCount: 50, admitEverySeconds: 5 };
    const begun = [sample(0.1, { waiting: 3950 }), sample(0, { waiting: 3900, admitted: 100, active: 50 })];
    expect(forecastWait(begun, rate, NOW_MS)).toEqual({ kind: 'wait', waitMs: 6.5 * MINUTE_MS });
    const justFull = [...begun, sample(0, { waiting: 3900, admitted: 100, active: 100 })];
    expect(forecastWait(justFull, rate, NOW_MS)).toEqual({ kind: 'wait', waitMs: 6.5 * MINUTE_MS });
    const full = [sample(1, { admitted: 20 }), sample(0, { waiting: 60, admitted: 40, active: 100 })];
    expect(forecastWait(full, rate, NOW_MS)).toEqual({ kind: 'wait', waitMs: 2 * MINUTE_MS });
  });
});
