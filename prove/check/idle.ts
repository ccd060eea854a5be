import type { Call } from '../call-log.js';
import type { Sale } from '../scenario/scenario.js';
import { callsBySale, Checker, type Evidence, groupBy, type Invariant, isOk, isRetry } from './evidence.js';
import type { PlaceRow } from './final-state.js';
import { type Interval, overlaps } from './interval.js';
import { isGated } from './queue.js';

const SECOND_MS = 1000;
/** How long another process may not know of a request: last-seen times are stored in batches. */
const LAST_SEEN_LAG_MS = 1000;
/** A request without a known outcome may have arrived at any time up to this long after it was sent. */
const UNKNOWN_ARRIVAL_MAX_MS = 10_000;

export const idlePlacesExpire: Invariant = {
  name: 'idle',
  description:
    'a place expires without any request for idleSeconds, and never while its fan makes requests in time',
  check(evidence) {
    const checker = new Checker();
    const byFan = groupBy(evidence.calls, ({ fan }) => fan);
    const rows = new Map(evidence.state.places.map((row) => [row.id, row]));
    for (const [sale, calls] of callsBySale(evidence)) {
      if (sale.policy.idleSeconds === null) continue;
      const shown = calls.filter((call) => shownStatus(evidence, call) !== undefined);
      for (const [placeId, ofPlace] of groupBy(
        shown,
        ({ observed, request }) => observed.place?.id ?? request.placeId,
      )) {
        const row = rows.get(placeId);
        if (!row) continue;
        const ofFan = byFan.get(ofPlace[0]?.fan ?? -1) ?? [];
        expectSleepersExpired(evidence, sale, row, ofPlace, ofFan, checker);
        expectOnTimeStaysActive(evidence, sale, row, ofPlace, checker);
      }
    }
    return checker;
  },
};

/** Whether the response shows the place as ACTIVE or as expired. Undefined if it shows neither. */
function shownStatus(evidence: Evidence, call: Call): 'ACTIVE' | 'EXPIRED' | undefined {
  const { place } = call.observed;
  if (place) return place.status === 'ACTIVE' || place.status === 'EXPIRED' ? place.status : undefined;
  if (!isGated(call) || isRetry(evidence, call) || call.request.isForbidden === true) return undefined;
  if (isOk(call)) return 'ACTIVE';
  return call.code === 'ACCESS_DENIED' && call.reason === 'EXPIRED' ? 'EXPIRED' : undefined;
}

/** No claim if a restart reset the idle time meanwhile, or if a late request may have done so. */
function expectSleepersExpired(
  evidence: Evidence,
  { policy }: Sale,
  { number, activated_at: activatedAtMs }: PlaceRow,
  ofPlace: readonly Call[],
  ofFan: readonly Call[],
  checker: Checker,
): void {
  const idleMs = (policy.idleSeconds ?? Infinity) * SECOND_MS + evidence.clockToleranceMs;
  for (const call of ofPlace) {
    const earlier = ofFan.filter(({ startMs }) => startMs < call.startMs);
    const mayArriveLate = earlier.some(
      ({ outcome, startMs }) => outcome === 'unknown' && startMs > call.startMs - UNKNOWN_ARRIVAL_MAX_MS,
    );
    if (mayArriveLate || activatedAtMs === null) continue;
    const seenMs = Math.max(activatedAtMs, ...earlier.map(({ endMs }) => endMs));
    const asleep = { fromMs: seenMs, toMs: call.startMs };
    if (call.startMs - seenMs <= idleMs || disturbs(evidence, asleep, ['restart'])) continue;
    checker.expect(
      shownStatus(evidence, call) === 'EXPIRED',
      () => `place ${number} was ACTIVE after ${call.startMs - seenMs} ms without a request`,
      earlier.at(-1),
      call,
    );
  }
}

/** No claim if a fault kept a process from storing or reading last-seen times. */
function expectOnTimeStaysActive(
  evidence: Evidence,
  { policy }: Sale,
  { number, expires_at: expiresAtMs }: PlaceRow,
  ofPlace: readonly Call[],
  checker: Checker,
): void {
  const idleMs = (policy.idleSeconds ?? Infinity) * SECOND_MS;
  const inTimeMs = idleMs - LAST_SEEN_LAG_MS - evidence.clockToleranceMs;
  const inOrder = [...ofPlace].sort((a, b) => a.startMs - b.startMs);
  for (const [index, call] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (!before || shownStatus(evidence, before) !== 'ACTIVE') continue;
    if (call.endMs - before.startMs > inTimeMs) continue;
    if ((expiresAtMs ?? 0) <= call.endMs + evidence.clockToleranceMs) continue;
    if (disturbs(evidence, { fromMs: before.startMs - idleMs, toMs: call.endMs }, ['stall', 'restart']))
      continue;
    checker.expect(
      shownStatus(evidence, call) === 'ACTIVE',
      () =>
        `place ${number} expired although its fan made a request ${call.endMs - before.startMs} ms before`,
      before,
      call,
    );
  }
}

const disturbs = (
  { faults }: Evidence,
  during: Interval,
  effects: readonly Evidence['faults'][number]['effect'][],
): boolean =>
  faults.some(
    ({ effect, startMs, endMs }) =>
      effects.includes(effect) && overlaps({ fromMs: startMs, toMs: endMs }, during),
  );
