import { type Static, type TSchema, Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import type { Policy, Sale } from '../scenario/scenario.js';
import type { Evidence } from './evidence.js';
import { type Interval, overlaps } from './interval.js';

/** Longer than a client waits for a response: an edit whose response was lost is in force by then. */
const LOST_EDIT_MAX_MS = 8000;

/** A value that the operator edits, and when it applied: possibly, and certainly. */
export interface Period<Value> {
  readonly value: Value;
  readonly possible: Interval;
  readonly certain: Interval;
}

const Edited = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Object({ to: schema }, { additionalProperties: true }));
const NullableInt = Type.Union([Type.Integer(), Type.Null()]);
const PolicyEdit = Type.Object({
  maxActive: Edited(NullableInt),
  admitCount: Edited(NullableInt),
  admitEverySeconds: Edited(NullableInt),
  paused: Edited(Type.Boolean()),
});
const SaleEdit = Type.Object({ salesCloseAt: Edited(Type.Union([Type.String(), Type.Null()])) });

export const policyPeriods = (evidence: Evidence, sale: Sale): Period<Policy>[] =>
  periodsOf(evidence, sale, 'POLICY_CHANGED', PolicyEdit, sale.policy, (policy, edit) => ({
    ...policy,
    ...(edit.maxActive && { maxActive: edit.maxActive.to }),
    ...(edit.admitCount && { admitCount: edit.admitCount.to }),
    ...(edit.admitEverySeconds && { admitEverySeconds: edit.admitEverySeconds.to }),
    ...(edit.paused && { paused: edit.paused.to }),
  }));

/** When the sale closes, in ms: `salesCloseAt` as edited, or the beginning of its last date. */
export function closingPeriods(evidence: Evidence, sale: Sale): Period<number>[] {
  const lastDateMs = Math.max(...sale.dates.map(({ startsAtMs }) => startsAtMs));
  const initial = sale.closesAtMs ?? Infinity;
  const periods = periodsOf(evidence, sale, 'CONCERT_EDITED', SaleEdit, initial, (closesAtMs, edit) => {
    if (!edit.salesCloseAt) return closesAtMs;
    const { to } = edit.salesCloseAt;
    return to === null ? Infinity : Date.parse(to);
  });
  return periods.map(({ value, ...period }) => ({ ...period, value: Math.min(value, lastDateMs) }));
}

/** The audit log says what changed and when the change began; the operator's calls say by when it was done. */
function periodsOf<Value, Schema extends TSchema>(
  { state, calls, clockToleranceMs }: Evidence,
  { concertId }: Sale,
  action: 'POLICY_CHANGED' | 'CONCERT_EDITED',
  schema: Schema,
  initial: Value,
  apply: (value: Value, edit: Static<Schema>) => Value,
): Period<Value>[] {
  const operation = action === 'POLICY_CHANGED' ? 'edit-policy' : 'edit-sale';
  const edits = calls.filter(
    ({ request, outcome }) =>
      request.operation === operation && request.concertId === concertId && outcome === 'ok',
  );
  const doneByMs = (atMs: number): number => {
    const around = { fromMs: atMs - clockToleranceMs, toMs: atMs + clockToleranceMs };
    const acknowledged = edits.filter(({ startMs, endMs }) =>
      overlaps({ fromMs: startMs, toMs: endMs }, around),
    );
    return acknowledged.length === 0
      ? atMs + LOST_EDIT_MAX_MS
      : Math.max(...acknowledged.map(({ endMs }) => endMs));
  };
  const entries = state.audit.filter((row) => row.concert_id === concertId && row.action === action);
  let value = initial;
  let begins = { earliestMs: -Infinity, latestMs: -Infinity };
  const periods: Period<Value>[] = [];
  const close = (earliestMs: number, latestMs: number): void => {
    periods.push({
      value,
      possible: { fromMs: begins.earliestMs, toMs: latestMs },
      certain: { fromMs: begins.latestMs, toMs: earliestMs },
    });
    begins = { earliestMs, latestMs };
  };
  for (const { details, created_at: atMs } of entries) {
    close(atMs - clockToleranceMs, doneByMs(atMs));
    value = apply(value, parse(schema, JSON.parse(details) as unknown, 'an audit entry'));
  }
  close(Infinity, Infinity);
  return periods;
}
