import type { GuardId } from '../../../src/kernel/guard.js';
import type { WeakenedGuards } from './sabotage.js';

/** Takes the place of src/kernel/guard.ts (by `vi.mock`) in tests that weaken guards inside their own process. */
let weakened: WeakenedGuards = {};

export function weakenGuards(guards: WeakenedGuards): void {
  weakened = guards;
}

export const guard = (id: GuardId, value: unknown): unknown => {
  const weaken = weakened[id];
  return weaken ? weaken(value as never) : value;
};
