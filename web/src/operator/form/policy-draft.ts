import { patchOperatorConcertsByIdWaitingRoomLimits } from '../../api/generated/limits.js';
import type { Policy, PolicyPatch } from '../desk.js';
import type { OperatorText } from '../texts/index.js';
import type { Checks } from './checks.js';

/** A waiting room's rules as they stand in a form. */
export interface PolicyDraft {
  readonly unlimited: boolean;
  readonly maxActive: string;
  readonly byPortions: boolean;
  readonly admitCount: string;
  readonly admitEverySeconds: string;
  readonly activeSeconds: string;
  readonly neverIdle: boolean;
  readonly idleSeconds: string;
  readonly consumeOn: Policy['consumeOn'];
  readonly holdSeconds: string;
  readonly maxSeatsPerUser: string;
  readonly paused: boolean;
}

export type PolicyFaults = Partial<Record<keyof PolicyDraft, string | undefined>>;

export const DEFAULT_POLICY: Policy = {
  maxActive: 100,
  admitCount: null,
  admitEverySeconds: null,
  activeSeconds: 1800,
  idleSeconds: 300,
  consumeOn: 'PAYMENT',
  holdSeconds: 300,
  maxSeatsPerUser: 4,
  paused: false,
};

const LIMITS = patchOperatorConcertsByIdWaitingRoomLimits.body;
/** What a number is offered as where there was none. */
const OFFERED = { maxActive: 100, admitCount: 50, admitEverySeconds: 10, idleSeconds: 300 };

export const toDraft = (policy: Policy): PolicyDraft => ({
  unlimited: policy.maxActive === null,
  maxActive: String(policy.maxActive ?? OFFERED.maxActive),
  byPortions: policy.admitCount !== null,
  admitCount: String(policy.admitCount ?? OFFERED.admitCount),
  admitEverySeconds: String(policy.admitEverySeconds ?? OFFERED.admitEverySeconds),
  activeSeconds: String(policy.activeSeconds),
  neverIdle: policy.idleSeconds === null,
  idleSeconds: String(policy.idleSeconds ?? OFFERED.idleSeconds),
  consumeOn: policy.consumeOn,
  holdSeconds: String(policy.holdSeconds),
  maxSeatsPerUser: String(policy.maxSeatsPerUser),
  paused: policy.paused,
});

export function policyFaults(draft: PolicyDraft, { whole }: Checks): PolicyFaults {
  return {
    maxActive: draft.unlimited ? undefined : whole(draft.maxActive, LIMITS.maxActive),
    admitCount: draft.byPortions ? whole(draft.admitCount, LIMITS.admitCount) : undefined,
    admitEverySeconds: draft.byPortions
      ? whole(draft.admitEverySeconds, LIMITS.admitEverySeconds)
      : undefined,
    activeSeconds: whole(draft.activeSeconds, LIMITS.activeSeconds),
    idleSeconds: draft.neverIdle ? undefined : whole(draft.idleSeconds, LIMITS.idleSeconds),
    holdSeconds: whole(draft.holdSeconds, LIMITS.holdSeconds),
    maxSeatsPerUser: whole(draft.maxSeatsPerUser, LIMITS.maxSeatsPerUser),
  };
}

export const toPolicy = (draft: PolicyDraft): Policy => ({
  maxActive: draft.unlimited ? null : Number(draft.maxActive),
  admitCount: draft.byPortions ? Number(draft.admitCount) : null,
  admitEverySeconds: draft.byPortions ? Number(draft.admitEverySeconds) : null,
  activeSeconds: Number(draft.activeSeconds),
  idleSeconds: draft.neverIdle ? null : Number(draft.idleSeconds),
  consumeOn: draft.consumeOn,
  holdSeconds: Number(draft.holdSeconds),
  maxSeatsPerUser: Number(draft.maxSeatsPerUser),
  paused: draft.paused,
});

/** Only what is another now: two promoters who change different rules do not undo each other. */
export function changedRules(before: Policy, after: Policy): PolicyPatch {
  const changed = Object.entries(after).filter(([rule, value]) => before[rule as keyof Policy] !== value);
  const patch: PolicyPatch = Object.fromEntries(changed);
  const hasHalfARate = 'admitCount' in patch !== 'admitEverySeconds' in patch;
  return hasHalfARate
    ? { ...patch, admitCount: after.admitCount, admitEverySeconds: after.admitEverySeconds }
    : patch;
}

/** A rule's value as a promoter says it. */
export function sayRule(
  rule: keyof Policy,
  value: unknown,
  { audit, policy }: OperatorText,
  number: (value: number) => string,
): string {
  if (value === null) {
    if (rule === 'maxActive') return audit.unlimited;
    return rule === 'idleSeconds' ? audit.off : audit.nothing;
  }
  if (rule === 'consumeOn')
    return value === 'RESERVATION' ? policy.consume.RESERVATION : policy.consume.PAYMENT;
  if (typeof value !== 'number') return typeof value === 'string' ? value : '';
  return rule.endsWith('Seconds') ? audit.seconds(number(value)) : number(value);
}
