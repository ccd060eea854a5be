import { type Static, Type } from 'typebox';
import { NullableNotice } from '../../catalog/index.js';
import type { FaultList } from '../../kernel/fault-list.js';
import { closed, Nullable } from '../../platform/web/index.js';

const seconds = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const DAY_SECONDS = 86_400;
/** The rate is counted from stored places, and ended places are stored for at least two hours (`RETENTION_SETTINGS`). */
const ADMIT_EVERY_MAX_SECONDS = 3600;

/** The rules of a concert's waiting room. Every member may change during the sale. */
export const PolicySchema = closed({
  maxActive: Nullable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  admitCount: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  admitEverySeconds: Nullable(seconds(1, ADMIT_EVERY_MAX_SECONDS)),
  activeSeconds: seconds(1, DAY_SECONDS),
  idleSeconds: Nullable(seconds(1, DAY_SECONDS)),
  showUpSeconds: Nullable(seconds(1, DAY_SECONDS)),
  consumeOn: Type.Unsafe<'PAYMENT' | 'RESERVATION'>({ type: 'string', enum: ['PAYMENT', 'RESERVATION'] }),
  holdSeconds: seconds(1, DAY_SECONDS),
  maxSeatsPerUser: Type.Integer({ minimum: 1, maximum: 100 }),
  paused: Type.Boolean(),
  closeWhenSoldOut: Type.Boolean(),
  notice: NullableNotice,
});

export const PolicyPatchSchema = Type.Partial(PolicySchema, { additionalProperties: false });

export type Policy = Readonly<Static<typeof PolicySchema>>;
export type PolicyPatch = { readonly [Field in keyof Policy]?: Policy[Field] | undefined };

export const isIdleShorter = (before: Policy, after: Policy): boolean =>
  (after.idleSeconds ?? Infinity) < (before.idleSeconds ?? Infinity);

export const isShowUpShorter = (before: Policy, after: Policy): boolean =>
  (after.showUpSeconds ?? Infinity) < (before.showUpSeconds ?? Infinity);

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

export function patchPolicy(policy: Policy, patch: PolicyPatch): Policy {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { ...policy, ...given };
}

/** A rate needs both a count and a period. `path` is the path of the policy in the request body. */
export function checkRate({ admitCount, admitEverySeconds }: Policy, path: string, faults: FaultList): void {
  if ((admitCount === null) === (admitEverySeconds === null)) return;
  faults.add(`${path}/admitCount`, 'must be set if and only if admitEverySeconds is');
  faults.add(`${path}/admitEverySeconds`, 'must be set if and only if admitCount is');
}

/** The policy of a new concert. */
export function checkNewPolicy(patch: PolicyPatch, path: string, faults: FaultList): void {
  checkRate(patchPolicy(DEFAULT_POLICY, patch), path, faults);
}
