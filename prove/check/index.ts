/**
 * The checker: decides from the evidence of a run alone whether Foyer's invariants held. It shares no code with Foyer.
 * Where the moment of an effect is known only within bounds, it reports a violation only if every moment would be wrong.
 */
import { noDeadlock } from './deadlocks.js';
import { nothingLost, readYourWrites, settlesAfterFaults } from './durability.js';
import { closedSalesEnd } from './ends.js';
import type { CheckResult, Evidence, Invariant } from './evidence.js';
import { idlePlacesExpire } from './idle.js';
import { moneyAddsUp, receiptsMatch, sameKeySameResponse } from './money.js';
import { placesConsumed, policyEditsRespected, portionsRespected } from './policy.js';
import { admittedInOrder, capacityRespected, gateEnforced, onePlacePerUser } from './queue.js';
import { rateLimitsSayWhen } from './rate-limits.js';
import { refundedOnce } from './refunds.js';
import { holdsExpireInTime, seatHeldOnce, seatSoldOnce, soldOutIsAccurate } from './seats.js';

export type { Evidence, Violation } from './evidence.js';
export { readFinalState } from './final-state.js';

/** In the order of docs/reliability.md. */
export const INVARIANTS: readonly Invariant[] = [
  seatSoldOnce,
  seatHeldOnce,
  holdsExpireInTime,
  moneyAddsUp,
  sameKeySameResponse,
  receiptsMatch,
  onePlacePerUser,
  admittedInOrder,
  capacityRespected,
  gateEnforced,
  soldOutIsAccurate,
  nothingLost,
  readYourWrites,
  settlesAfterFaults,
  closedSalesEnd,
  portionsRespected,
  idlePlacesExpire,
  policyEditsRespected,
  placesConsumed,
  refundedOnce,
  rateLimitsSayWhen,
  noDeadlock,
];

export interface Verdict extends CheckResult {
  readonly name: string;
  readonly description: string;
}

/** An invariant that nothing was checked against does not count as proved. */
export const everyInvariantHolds = (verdicts: readonly Verdict[]): boolean =>
  verdicts.every(({ checked, violations }) => checked > 0 && violations.length === 0);

export const checkInvariants = (evidence: Evidence): Verdict[] =>
  INVARIANTS.map((invariant) => {
    const { name, description } = invariant;
    return { name, description, ...invariant.check(evidence) };
  });
