import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY as SERVER_DEFAULT_POLICY } from '../../src/waiting-room/policy/policy.js';
import { parseMinutes } from '../../web/src/operator/form/parse-minutes.js';
import { parsePrice } from '../../web/src/operator/form/parse-price.js';
import { readPlanFile, describePlanError } from '../../web/src/operator/form/plan/plan-file.js';
import {
  policyPatch,
  DEFAULT_POLICY,
  toDraft,
  toPolicy,
} from '../../web/src/operator/form/policy/policy-draft.js';
import { parsePlan } from '../../web/src/operator/form/plan/parse-plan.js';
import { en } from '../../web/src/operator/texts/en/index.js';
import { ko } from '../../web/src/operator/texts/ko/index.js';

const seat = (number: string, x: number, category = 'Gold') => ({
  seat_number: number,
  position: { x, y: 0 },
  category,
});
const planOf = (...seats: unknown[]) => ({
  categories: [{ name: 'Gold', color: '#fc0' }],
  zones: [{ name: 'A', rows: [{ row_number: '1', seats }] }],
});
const errorsOf = (plan: unknown): string[] =>
  parsePlan(plan).errors.map((error) => describePlanError(error, en));

describe('a seating plan', () => {
  it('is parsed with what a sale needs; everything else is ignored', () => {
    const { plan, errors } = parsePlan({ ...planOf(seat('1', 0), seat('2', 10)), size: { width: 9 } });
    expect(errors).toEqual([]);
    expect(Object.keys(plan)).toEqual(['categories', 'zones']);
    expect(plan.zones[0]?.rows[0]?.seats).toEqual([seat('1', 0), seat('2', 10)]);
  });

  it('reports all errors with their locations', () => {
    const errors = errorsOf(
      planOf(seat('1', 0, 'Bronze'), { seat_number: 7, position: { x: 1 }, category: 'Gold' }),
    );
    expect(errors).toEqual([
      'Zone “A”, row 1, seat 1: names the category “Bronze”, which is not in the list of categories',
      'Zone “A”, row 1, seat no. 2, seat_number: must be a text of 1 to 20 characters on one line',
      'Zone “A”, row 1, seat no. 2, position: needs numbers x and y within ±1,000,000',
    ]);
  });

  it('must not contain a seat or a position twice', () => {
    expect(errorsOf(planOf(seat('1', 0), seat('1', 10)))).toEqual([
      expect.stringContaining('Zone “A”, row 1, seat 1: is there twice'),
    ]);
    expect(errorsOf(planOf(seat('1', 0), seat('2', 0)))).toEqual([
      'Zone “A”, row 1, seat 2: has the same position as another seat',
    ]);
  });

  it('must be an object with lists', () => {
    expect(errorsOf([])).toContain('The file: must be an object in braces');
    expect(errorsOf({})).toContain('zones: must be a list in brackets');
  });

  it('reports the line of a JSON error, and a plan without seats', async () => {
    const file = new File(['{\n "zones": [\n oops ]}'], 'plan.json');
    expect(await readPlanFile(file)).toEqual({ state: 'notJson', name: 'plan.json', line: 3 });
    expect(await readPlanFile(new File([JSON.stringify(planOf())], 'plan.json'))).toMatchObject({
      state: 'noSeats',
    });
  });
});

describe('a price', () => {
  it('is parsed with thousands separators and decimals', () => {
    expect(parsePrice('154,000', 'KRW')).toBe(154_000);
    expect(parsePrice('19.99', 'USD')).toBe(1999);
    expect(parsePrice('5', 'USD')).toBe(500);
  });

  it('must be a number with at most the decimals of its currency', () => {
    for (const text of ['', '-1', '1.5', '1e3', 'abc', '1.']) expect(parsePrice(text, 'KRW')).toBeUndefined();
    expect(parsePrice('1.999', 'USD')).toBeUndefined();
  });
});

describe('minutes', () => {
  it('are parsed into whole seconds', () => {
    expect(parseMinutes('5')).toBe(300);
    expect(parseMinutes(' 1.5 ')).toBe(90);
    expect(parseMinutes('0.02')).toBe(1);
  });

  it('must be a number with at most two decimals', () => {
    for (const text of ['', '-1', '1.', '.5', '1.234', '1:30', '1e3', '1,5'])
      expect(parseMinutes(text)).toBeUndefined();
  });

  it('tell any two numbers of seconds apart', () => {
    for (let seconds = 1; seconds <= 86_400; seconds += 1) {
      const policy = { ...DEFAULT_POLICY, holdSeconds: seconds };
      expect(toPolicy(toDraft(policy)).holdSeconds).toBe(seconds);
    }
  });
});

describe('the policy of a waiting room', () => {
  it('has the same defaults as the server', () => {
    expect(DEFAULT_POLICY).toEqual(SERVER_DEFAULT_POLICY);
  });

  it('is unchanged after a round trip through the form', () => {
    const other = {
      ...DEFAULT_POLICY,
      showUpSeconds: 60,
      closeWhenSoldOut: false,
      notice: 'Two lines\nof text',
    };
    for (const policy of [DEFAULT_POLICY, other]) expect(toPolicy(toDraft(policy))).toEqual(policy);
  });

  it('is patched with changed rules only, and the admission rate as a pair', () => {
    expect(policyPatch(DEFAULT_POLICY, { ...DEFAULT_POLICY, maxActive: null })).toEqual({ maxActive: null });
    const batches = { ...DEFAULT_POLICY, admitCount: 50, admitEverySeconds: 10 };
    expect(policyPatch(batches, { ...batches, admitCount: 80 })).toEqual({
      admitCount: 80,
      admitEverySeconds: 10,
    });
  });
});

it('every Korean text of the promoter’s pages contains Korean', () => {
  const left = Object.entries(ko).flatMap(([part, texts]) =>
    Object.entries(texts)
      .filter(([, value]) => typeof value === 'string' && !/[가-힣]/.test(value))
      .map(([key]) => `${part}.${key}`),
  );
  expect(left).toEqual([]);
});
