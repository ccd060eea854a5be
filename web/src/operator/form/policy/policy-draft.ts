import { patchOperatorConcertsByIdWaitingRoomLimits } from '../../../api/generated/limits.js';
import type { Policy, PolicyPatch } from '../../operator-api.js';
import { isRecord } from '../../../is-record.js';
import type { OperatorText } from '../../texts/index.js';
import type { Validators } from '../validators.js';

/** A waiting room's policy as typed in a form. */
export interface PolicyDraft {
  readonly unlimited: boolean;
  readonly maxActive: string;
  readonly inBatches: boolean;
  readonly admitCount: string;
  readonly admitEverySeconds: string;
  readonly activeSeconds: string;
  readonly noIdleLimit: boolean;
  readonly idleSeconds: string;
  readonly keepsNoShows: boolean;
  readonly showUpSeconds: string;
  readonly consumeOn: Policy['consumeOn'];
  readonly holdSeconds: string;
  readonly maxSeatsPerUser: string;
  readonly paused: boolean;
  readonly closeWhenSoldOut: boolean;
  /** Posted from the live page; the form keeps it as it is. */
  readonly notice: Policy['notice'];
}

export type PolicyErrors = Partial<Record<keyof PolicyDraft, string | undefined>>;

export const DEFAULT_POLICY: Policy = {
  maxActive: 100,
  admitCount: null,
  admitEverySeconds: null,
  activeSeconds: 1800,
  idleSeconds: 300,
  showUpSeconds: null,
  consumeOn: 'PAYMENT',
  holdSeconds: 300,
  maxSeatsPerUser: 4,
  paused: false,
  closeWhenSoldOut: true,
  notice: null,
};

const LIMITS = patchOperatorConcertsByIdWaitingRoomLimits.body;
/** What a field starts with if the policy has no value for it. */
const SUGGESTED = {
  maxActive: 100,
  admitCount: 50,
  admitEverySeconds: 10,
  idleSeconds: 300,
  showUpSeconds: 120,
};

/** What the form proposes for a new concert: the server's defaults, and no slots held by closed tabs. */
export const NEW_CONCERT_POLICY: Policy = { ...DEFAULT_POLICY, showUpSeconds: SUGGESTED.showUpSeconds };

export const toDraft = (policy: Policy): PolicyDraft => ({
  unlimited: policy.maxActive === null,
  maxActive: String(policy.maxActive ?? SUGGESTED.maxActive),
  inBatches: policy.admitCount !== null,
  admitCount: String(policy.admitCount ?? SUGGESTED.admitCount),
  admitEverySeconds: String(policy.admitEverySeconds ?? SUGGESTED.admitEverySeconds),
  activeSeconds: String(policy.activeSeconds),
  noIdleLimit: policy.idleSeconds === null,
  idleSeconds: String(policy.idleSeconds ?? SUGGESTED.idleSeconds),
  keepsNoShows: policy.showUpSeconds === null,
  showUpSeconds: String(policy.showUpSeconds ?? SUGGESTED.showUpSeconds),
  consumeOn: policy.consumeOn,
  holdSeconds: String(policy.holdSeconds),
  maxSeatsPerUser: String(policy.maxSeatsPerUser),
  paused: policy.paused,
  closeWhenSoldOut: policy.closeWhenSoldOut,
  notice: policy.notice,
});

export function validatePolicy(draft: PolicyDraft, { wholeNumber }: Validators): PolicyErrors {
  return {
    maxActive: draft.unlimited ? undefined : wholeNumber(draft.maxActive, LIMITS.maxActive),
    admitCount: draft.inBatches ? wholeNumber(draft.admitCount, LIMITS.admitCount) : undefined,
    admitEverySeconds: draft.inBatches
      ? wholeNumber(draft.admitEverySeconds, LIMITS.admitEverySeconds)
      : undefined,
    activeSeconds: wholeNumber(draft.activeSeconds, LIMITS.activeSeconds),
    idleSeconds: draft.noIdleLimit ? undefined : wholeNumber(draft.idleSeconds, LIMITS.idleSeconds),
    showUpSeconds: draft.keepsNoShows ? undefined : wholeNumber(draft.showUpSeconds, LIMITS.showUpSeconds),
    holdSeconds: wholeNumber(draft.holdSeconds, LIMITS.holdSeconds),
    maxSeatsPerUser: wholeNumber(draft.maxSeatsPerUser, LIMITS.maxSeatsPerUser),
  };
}

export const toPolicy = (draft: PolicyDraft): Policy => ({
  maxActive: draft.unlimited ? null : Number(draft.maxActive),
  admitCount: draft.inBatches ? Number(draft.admitCount) : null,
  admitEverySeconds: draft.inBatches ? Number(draft.admitEverySeconds) : null,
  activeSeconds: Number(draft.activeSeconds),
  idleSeconds: draft.noIdleLimit ? null : Number(draft.idleSeconds),
  showUpSeconds: draft.keepsNoShows ? null : Number(draft.showUpSeconds),
  consumeOn: draft.consumeOn,
  holdSeconds: Number(draft.holdSeconds),
  maxSeatsPerUser: Number(draft.maxSeatsPerUser),
  paused: draft.paused,
  closeWhenSoldOut: draft.closeWhenSoldOut,
  notice: draft.notice,
});

/** Only the changed rules, so that two promoters who change different rules do not overwrite each other. */
export function policyPatch(before: Policy, after: Policy): PolicyPatch {
  const changed = Object.entries(after).filter(([rule, value]) => before[rule as keyof Policy] !== value);
  const patch: PolicyPatch = Object.fromEntries(changed);
  const changesHalfTheRate = 'admitCount' in patch !== 'admitEverySeconds' in patch;
  // The two parts of the admission rate are one rule and are sent as a pair.
  return changesHalfTheRate
    ? { ...patch, admitCount: after.admitCount, admitEverySeconds: after.admitEverySeconds }
    : patch;
}

/** A rule's value for display. */
export function formatRule(
  rule: keyof Policy,
  value: unknown,
  { audit, policy }: OperatorText,
  number: (value: number) => string,
): string {
  if (value === null) {
    if (rule === 'maxActive') return audit.unlimited;
    return rule === 'idleSeconds' || rule === 'showUpSeconds' ? audit.off : audit.nothing;
  }
  if (rule === 'consumeOn')
    return value === 'RESERVATION' ? policy.consume.RESERVATION : policy.consume.PAYMENT;
  if (typeof value === 'boolean') return value ? audit.on : audit.off;
  if (typeof value === 'string') return `“${value}”`;
  if (isRecord(value))
    return Object.values(value)
      .map((each) => `“${String(each)}”`)
      .join(' ');
  if (typeof value !== 'number') return '';
  return rule.endsWith('Seconds') ? audit.seconds(number(value)) : number(value);
}
