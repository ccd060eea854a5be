import { patchOperatorConcertsByIdWaitingRoomLimits } from '../../../api/generated/limits.js';
import type { Policy, PolicyPatch } from '../../operator-api.js';
import { isRecord } from '../../../is-record.js';
import type { OperatorText } from '../../texts/index.js';
import { parseMinutes } from '../parse-minutes.js';
import type { Validators } from '../validators.js';

/** A waiting room's policy as typed in a form: minutes where the API has seconds, except between batches. */
export interface PolicyDraft {
  readonly unlimited: boolean;
  readonly maxActive: string;
  readonly inBatches: boolean;
  readonly admitCount: string;
  readonly admitEverySeconds: string;
  readonly activeMinutes: string;
  readonly noIdleLimit: boolean;
  readonly idleMinutes: string;
  readonly keepsNoShows: boolean;
  readonly showUpMinutes: string;
  readonly consumeOn: Policy['consumeOn'];
  readonly holdMinutes: string;
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

const SECOND_MS = 1000;
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

/** As text for a form. Two decimals tell any two numbers of seconds apart. */
const toMinutes = (seconds: number): string => String(Math.round((seconds / 60) * 100) / 100);
/** Of a valid entry. */
const toSeconds = (minutes: string): number => parseMinutes(minutes) ?? 0;

export const toDraft = (policy: Policy): PolicyDraft => ({
  unlimited: policy.maxActive === null,
  maxActive: String(policy.maxActive ?? SUGGESTED.maxActive),
  inBatches: policy.admitCount !== null,
  admitCount: String(policy.admitCount ?? SUGGESTED.admitCount),
  admitEverySeconds: String(policy.admitEverySeconds ?? SUGGESTED.admitEverySeconds),
  activeMinutes: toMinutes(policy.activeSeconds),
  noIdleLimit: policy.idleSeconds === null,
  idleMinutes: toMinutes(policy.idleSeconds ?? SUGGESTED.idleSeconds),
  keepsNoShows: policy.showUpSeconds === null,
  showUpMinutes: toMinutes(policy.showUpSeconds ?? SUGGESTED.showUpSeconds),
  consumeOn: policy.consumeOn,
  holdMinutes: toMinutes(policy.holdSeconds),
  maxSeatsPerUser: String(policy.maxSeatsPerUser),
  paused: policy.paused,
  closeWhenSoldOut: policy.closeWhenSoldOut,
  notice: policy.notice,
});

export function validatePolicy(draft: PolicyDraft, { minutes, wholeNumber }: Validators): PolicyErrors {
  return {
    maxActive: draft.unlimited ? undefined : wholeNumber(draft.maxActive, LIMITS.maxActive),
    admitCount: draft.inBatches ? wholeNumber(draft.admitCount, LIMITS.admitCount) : undefined,
    admitEverySeconds: draft.inBatches
      ? wholeNumber(draft.admitEverySeconds, LIMITS.admitEverySeconds)
      : undefined,
    activeMinutes: minutes(draft.activeMinutes, LIMITS.activeSeconds),
    idleMinutes: draft.noIdleLimit ? undefined : minutes(draft.idleMinutes, LIMITS.idleSeconds),
    showUpMinutes: draft.keepsNoShows ? undefined : minutes(draft.showUpMinutes, LIMITS.showUpSeconds),
    holdMinutes: minutes(draft.holdMinutes, LIMITS.holdSeconds),
    maxSeatsPerUser: wholeNumber(draft.maxSeatsPerUser, LIMITS.maxSeatsPerUser),
  };
}

export const toPolicy = (draft: PolicyDraft): Policy => ({
  maxActive: draft.unlimited ? null : Number(draft.maxActive),
  admitCount: draft.inBatches ? Number(draft.admitCount) : null,
  admitEverySeconds: draft.inBatches ? Number(draft.admitEverySeconds) : null,
  activeSeconds: toSeconds(draft.activeMinutes),
  idleSeconds: draft.noIdleLimit ? null : toSeconds(draft.idleMinutes),
  showUpSeconds: draft.keepsNoShows ? null : toSeconds(draft.showUpMinutes),
  consumeOn: draft.consumeOn,
  holdSeconds: toSeconds(draft.holdMinutes),
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
  format: { readonly number: (value: number) => string; readonly duration: (ms: number) => string },
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
  return rule.endsWith('Seconds') ? format.duration(value * SECOND_MS) : format.number(value);
}
