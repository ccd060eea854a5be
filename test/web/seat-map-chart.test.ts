import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChart } from '../../web/src/seat-map/chart/chart.js';
import {
  type SeatStatus,
  applyChanges,
  decodeState,
  markMine,
  MINE,
} from '../../web/src/seat-map/chart/seat-states.js';
import { fullLabel } from '../../web/src/seat-map/labels.js';
import { chartBody, hall, seatWithLabel } from './seat-map-fixture.js';

const STATUSES: readonly SeatStatus[] = ['AVAILABLE', 'HELD', 'SOLD'];

function packed(codes: readonly number[]): string {
  const bytes = new Uint8Array(Math.ceil(codes.length / 4));
  codes.forEach((code, seat) => {
    bytes[seat >> 2]! |= code << ((seat & 3) * 2);
  });
  return Buffer.from(bytes).toString('base64');
}

describe('the chart', () => {
  const body = chartBody([{ name: 'A', x: 1, y: 5, rows: 2, seatsPerRow: 3 }]);

  it('groups seats into rows and rows into sections', () => {
    const chart = hall();
    expect(chart.seats.count).toBe(34);
    expect(chart.sections.map(({ seatCount, rows }) => [seatCount, rows.length])).toEqual([
      [12, 3],
      [12, 3],
      [10, 2],
    ]);
    expect(chart.spacing).toBe(1);
    expect(chart.indexOfId.get('seat5')).toBe(5);
  });

  it('orders the seats of a row by position, also in vertical and mirrored rows', () => {
    const mirrored = { ...body, seats: { ...body.seats, x: [3, 2, 1, 3, 2, 1] } };
    expect(decodeChart(mirrored).rows[0]?.seats).toEqual([2, 1, 0]);
    const upright = { ...body, seats: { ...body.seats, x: [1, 1, 1, 2, 2, 2], y: [7, 6, 5, 7, 6, 5] } };
    const [row] = decodeChart(upright).rows;
    expect(row).toMatchObject({ isVertical: true, seats: [2, 1, 0] });
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['columns that differ in length', { ...body, seats: { ...body.seats, x: [1] } }],
    ['a seat in no row', { ...body, seats: { ...body.seats, row: [0, 0, 0, 1, 1, 9] } }],
    ['a seat of no grade', { ...body, seats: { ...body.seats, grade: [0, 0, 0, 0, 0, 2] } }],
    ['a row in no section', { ...body, rows: [{ section: 3, name: '1' }, ...body.rows] }],
    ['a number as text', { ...body, stage: { ...body.stage, x: '1' } }],
    ['a position that is not a number', { ...body, seats: { ...body.seats, y: [1, 1, 1, 2, 2, null] } }],
  ])('rejects %s', (_what, value) => {
    expect(() => decodeChart(value)).toThrow(TypeError);
  });
});

describe('the seat states', () => {
  const chart = hall();
  const anyCodes = fc.array(fc.integer({ min: 0, max: 2 }), {
    minLength: chart.seats.count,
    maxLength: chart.seats.count,
  });

  it('are unpacked and counted by section', () => {
    fc.assert(
      fc.property(anyCodes, (codes) => {
        const states = decodeState({ scheduleId: 'date', version: 7, seats: packed(codes) }, chart);
        expect([...states.codes]).toEqual(codes);
        expect(states.free).toBe(codes.filter((code) => code === 0).length);
        expect(states.freeInSection.reduce((sum, free) => sum + free, 0)).toBe(states.free);
      }),
    );
  });

  it('equal freshly decoded states after changes', () => {
    const anyChanges = fc.array(
      fc.record({ seat: fc.nat({ max: chart.seats.count - 1 }), code: fc.integer({ min: 0, max: 2 }) }),
    );
    fc.assert(
      fc.property(anyCodes, anyChanges, (codes, changes) => {
        const before = decodeState(packed(codes), chart);
        const seatChanges = changes.map(({ seat, code }) => ({ id: `seat${seat}`, status: STATUSES[code]! }));
        const after = applyChanges(before, chart, seatChanges);
        for (const { seat, code } of changes) codes[seat] = code;
        const fresh = decodeState(packed(codes), chart);
        expect(after.codes).toEqual(fresh.codes);
        expect(after.freeInSection).toEqual(fresh.freeInSection);
        expect(after === before).toBe(before.version === after.version);
      }),
    );
  });

  it('stay the same object without a change, and ignore unknown seats', () => {
    const states = decodeState(packed(Array<number>(34).fill(0)), chart);
    const changes = [
      { id: 'seat1', status: 'AVAILABLE' },
      { id: 'elsewhere', status: 'SOLD' },
    ] as const;
    expect(applyChanges(states, chart, changes)).toBe(states);
  });

  it('mark the seats that a fan holds as theirs, as long as they are held', () => {
    const codes = Array.from({ length: 34 }, (_, seat) => seat % 3);
    const states = decodeState(packed(codes), chart);
    const marked = markMine(states, chart, ['seat0', 'seat1', 'seat2', 'elsewhere']);
    expect(marked.mine).toEqual([1]);
    expect([...marked.codes]).toEqual(codes.map((code, seat) => (seat === 1 ? MINE : code)));
    expect(marked.free).toBe(states.free);
    expect(markMine(states, chart, ['seat0'])).toBe(states);
  });

  it.each([
    ['of another chart', packed([0, 1])],
    ['that are not a string', 5],
    ['in an unknown state', packed(Array<number>(34).fill(3))],
  ])('are rejected %s', (_what, body) => {
    expect(() => decodeState(body, chart)).toThrow(TypeError);
  });
});

describe('the label of a seat', () => {
  const chart = hall();
  const seat = seatWithLabel(chart, 'B 2-3');

  it('contains section, row, number, grade, price and state in both languages', () => {
    expect(fullLabel(chart, seat, 0, false, 'en')).toBe('Section B, row 2, seat 3, S ₩90,000, Available');
    expect(fullLabel(chart, seat, 2, false, 'ko')).toBe('B구역 2열 3번, S석 90,000원, 판매 완료');
    expect(fullLabel(chart, seat, 1, false, 'en')).toContain('Held by someone else');
    expect(fullLabel(chart, seat, 1, true, 'ko')).toContain('선택한 좌석');
  });
});
