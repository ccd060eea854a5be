import { type Static, Type } from 'typebox';
import type { FaultList } from '../kernel/fault-list.js';
import { closed, Nullable } from '../platform/web/index.js';

/** Facts about a concert that every date shares. They inform fans; Foyer enforces none of them. */

const RUNNING_MINUTES_MAX = 24 * 60;
const MIN_AGE_MAX = 99;
const REFUND_RULES_MAX = 10;
const REFUND_DAYS_MAX = 365;
const PERCENT_MAX = 100;

const RefundRuleSchema = closed({
  daysBefore: Type.Integer({
    minimum: 0,
    maximum: REFUND_DAYS_MAX,
    description: 'Applies until so many days before the date; 0: on the day',
  }),
  feePercent: Type.Integer({ minimum: 0, maximum: PERCENT_MAX, description: 'Of the price; 100: no refund' }),
});

/** `minAge` 0: for all ages. */
export const FACTS = {
  runningMinutes: Nullable(Type.Integer({ minimum: 1, maximum: RUNNING_MINUTES_MAX })),
  minAge: Nullable(Type.Integer({ minimum: 0, maximum: MIN_AGE_MAX })),
  refundRules: Type.Array(RefundRuleSchema, {
    maxItems: REFUND_RULES_MAX,
    description: 'The earliest first; later refunds cost at least as much',
  }),
};

export type RefundRules = Static<typeof FACTS.refundRules>;

/** Of a column that is only written after validation. */
export const parseRefundRules = (json: string): RefundRules => JSON.parse(json) as RefundRules;

/** Rules in another order, or a fee that falls towards the date, are most likely a mistake. */
export function checkRefundRules(rules: RefundRules, faults: FaultList): void {
  rules.forEach((rule, index) => {
    const earlier = rules[index - 1];
    const path = `/refundRules/${index}`;
    if (earlier && rule.daysBefore >= earlier.daysBefore)
      faults.add(`${path}/daysBefore`, 'must be fewer than in the rule before');
    if (earlier && rule.feePercent < earlier.feePercent)
      faults.add(`${path}/feePercent`, 'must not be lower than in the rule before');
  });
}

export const serializeRefundRules = (rules: RefundRules): string =>
  JSON.stringify(rules.map(({ daysBefore, feePercent }) => ({ daysBefore, feePercent })));
