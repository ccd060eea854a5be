import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/http/errors/problems.js';
import type { DenialReason } from '../../src/kernel/refusal.js';
import { Problem, ConnectionError } from '../../web/src/api/problem.js';
import type { Dictionary } from '../../web/src/i18n/dictionary.js';
import { en } from '../../web/src/i18n/en/index.js';
import { explain } from '../../web/src/i18n/explain.js';
import { formatClock, formatDuration, formatMoney } from '../../web/src/i18n/format.js';
import { gradeName } from '../../web/src/i18n/grade-name.js';
import { ko } from '../../web/src/i18n/ko/index.js';

/** A missing reason does not compile. */
const REASONS: Record<DenialReason, true> = {
  MISSING: true,
  INVALID: true,
  NOT_ACTIVE: true,
  EXPIRED: true,
  USED: true,
  LEFT: true,
  CLOSED: true,
  WRONG_CONCERT: true,
};
const CODES = [...new Set([...Object.keys(PROBLEMS), 'NO_SEATS_TOGETHER'])].sort();

const LANGUAGES: Record<string, Dictionary> = { Korean: ko, English: en };

for (const [language, text] of Object.entries(LANGUAGES)) {
  describe(`the refusals in ${language}`, () => {
    it('are exactly those of the API, each with its own text', () => {
      expect(Object.keys(text.refusals).sort()).toEqual(CODES);
      // Two codes share a text: both mean that the page is older than the server.
      expect(new Set(Object.values(text.refusals)).size).toBe(CODES.length - 1);
    });

    it('explain every reason of a denial', () => {
      expect(Object.keys(text.denials).sort()).toEqual(Object.keys(REASONS).sort());
      for (const reason of Object.keys(REASONS) as DenialReason[]) {
        expect(explain(text, new Problem(403, 'ACCESS_DENIED', { reason }))).toBe(text.denials[reason]);
      }
    });

    it('explain errors without a known code', () => {
      expect(explain(text, new ConnectionError(true))).toBe(text.network.timeout);
      expect(explain(text, new ConnectionError(false))).toBe(text.network.offline);
      expect(explain(text, new Problem(502, 'NEW_TROUBLE'))).toBe(text.refusals.INTERNAL_ERROR);
      expect(explain(text, new TypeError('a bug'))).toBe(text.network.unknown);
      expect(explain(text, new Problem(429, 'TOO_MANY_REQUESTS', { retryAfterSeconds: 7 }))).toContain('7');
    });
  });
}

it('every Korean text contains Korean', () => {
  const left = Object.entries(ko).flatMap(([part, texts]) =>
    Object.entries(texts)
      .filter(([key, value]) => typeof value === 'string' && !/[가-힣]/.test(value) && key !== 'product')
      .map(([key]) => `${part}.${key}`),
  );
  expect(left).toEqual([]);
});

describe('formats', () => {
  it('format amounts by the currency’s minor unit', () => {
    expect(formatMoney('ko', 154_000, 'KRW')).toBe('154,000원');
    expect(formatMoney('en', 154_000, 'KRW')).toBe('₩154,000');
    expect(formatMoney('en', 1999, 'USD')).toBe('$19.99');
  });

  it('name a grade in Korean with 석, once', () => {
    expect(['VIP', 'R석', '스탠딩', ''].map((grade) => gradeName('ko', grade))).toEqual([
      'VIP석',
      'R석',
      '스탠딩석',
      '',
    ]);
    expect(gradeName('en', 'VIP')).toBe('VIP');
  });

  it('format countdowns', () => {
    expect(formatClock(299_001)).toBe('5:00');
    expect(formatClock(3_723_000)).toBe('1:02:03');
    expect(formatClock(-5)).toBe('0:00');
  });

  it('format durations in their two largest units', () => {
    expect(formatDuration('en', 93_784_000)).toBe('1 day 2 hours');
    expect(formatDuration('ko', 65_000)).toBe('1분 5초');
    expect(formatDuration('en', 0)).toBe('0 seconds');
  });
});
