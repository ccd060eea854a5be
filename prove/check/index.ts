import type { Evidence, Finding, Pledge } from './evidence.js';
import { neverTooMany, noOvertaking, onePlace, onlyThroughTheGate } from './line.js';
import { nothingLost, ownWrites, settles } from './memory.js';
import { moneyAddsUp, receiptsMatch, sameKeySameAnswer } from './money.js';
import { heldOnce, inTime, soldOnce, soldOutIsTrue } from './seats.js';

export type { Evidence, Violation } from './evidence.js';
export { readState } from './state.js';

/** What Foyer promises, in the order in which it is told. */
export const PLEDGES: readonly Pledge[] = [
  soldOnce,
  heldOnce,
  inTime,
  moneyAddsUp,
  sameKeySameAnswer,
  receiptsMatch,
  onePlace,
  noOvertaking,
  neverTooMany,
  onlyThroughTheGate,
  soldOutIsTrue,
  nothingLost,
  ownWrites,
  settles,
];

export interface Verdict extends Finding {
  readonly name: string;
  readonly says: string;
}

export const judge = (evidence: Evidence): Verdict[] =>
  PLEDGES.map((pledge) => ({ name: pledge.name, says: pledge.says, ...pledge.check(evidence) }));
