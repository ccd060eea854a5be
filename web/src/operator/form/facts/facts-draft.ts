import { postOperatorConcertsLimits } from '../../../api/generated/limits.js';
import type { OperatorConcertDetails } from '../../operator-api.js';
import type { OperatorText } from '../../texts/index.js';
import type { Validators } from '../validators.js';

const LIMITS = postOperatorConcertsLimits.body;
const RULE_LIMITS = LIMITS.refundRules.items;
export const REFUND_RULES_MAX = LIMITS.refundRules.maxItems;

export interface RefundRuleDraft {
  readonly key: number;
  readonly daysBefore: string;
  readonly feePercent: string;
}

/** What fans read about a concert, as typed in a form. Empty: not stated. */
export interface FactsDraft {
  readonly runningMinutes: string;
  readonly minAge: string;
  readonly refundRules: readonly RefundRuleDraft[];
}

export const NO_FACTS: FactsDraft = { runningMinutes: '', minAge: '', refundRules: [] };

type RefundRules = OperatorConcertDetails['refundRules'];

/** What Korean ticketing sites usually charge. */
export const USUAL_REFUND_RULES: RefundRules = [
  { daysBefore: 10, feePercent: 0 },
  { daysBefore: 7, feePercent: 10 },
  { daysBefore: 3, feePercent: 20 },
  { daysBefore: 1, feePercent: 30 },
  { daysBefore: 0, feePercent: 100 },
];

let keys = 0;

export const toRuleDrafts = (rules: RefundRules): RefundRuleDraft[] =>
  rules.map(({ daysBefore, feePercent }) => ({
    key: (keys += 1),
    daysBefore: String(daysBefore),
    feePercent: String(feePercent),
  }));

export const emptyRule = (): RefundRuleDraft => ({ key: (keys += 1), daysBefore: '', feePercent: '' });

export const factsOf = ({
  runningMinutes,
  minAge,
  refundRules,
}: Pick<OperatorConcertDetails, keyof FactsDraft>): FactsDraft => ({
  runningMinutes: runningMinutes === null ? '' : String(runningMinutes),
  minAge: minAge === null ? '' : String(minAge),
  refundRules: toRuleDrafts(refundRules),
});

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Only for a valid draft. */
export const toFacts = ({ runningMinutes, minAge, refundRules }: FactsDraft) => ({
  runningMinutes: numberOrNull(runningMinutes),
  minAge: numberOrNull(minAge),
  refundRules: refundRules.map((rule) => ({
    daysBefore: Number(rule.daysBefore),
    feePercent: Number(rule.feePercent),
  })),
});

function validateRules(
  rules: readonly RefundRuleDraft[],
  { wholeNumber }: Validators,
  { errors }: OperatorText,
): string | undefined {
  for (const { daysBefore, feePercent } of rules) {
    const found =
      wholeNumber(daysBefore, RULE_LIMITS.daysBefore) ?? wholeNumber(feePercent, RULE_LIMITS.feePercent);
    if (found !== undefined) return found;
  }
  const isOrdered = rules.every((rule, index) => {
    const next = rules[index + 1];
    const isEarlier = !next || Number(next.daysBefore) < Number(rule.daysBefore);
    return isEarlier && (!next || Number(next.feePercent) >= Number(rule.feePercent));
  });
  return isOrdered ? undefined : errors.ruleOrder;
}

export function validateFacts(
  facts: FactsDraft,
  validators: Validators,
  text: OperatorText,
): Partial<Record<keyof FactsDraft, string | undefined>> {
  const { wholeNumber } = validators;
  const isStated = (entry: string): boolean => entry.trim() !== '';
  return {
    runningMinutes: isStated(facts.runningMinutes)
      ? wholeNumber(facts.runningMinutes, LIMITS.runningMinutes)
      : undefined,
    minAge: isStated(facts.minAge) ? wholeNumber(facts.minAge, LIMITS.minAge) : undefined,
    refundRules: validateRules(facts.refundRules, validators, text),
  };
}
