import type { GuardId } from '../../../src/kernel/guard.js';
import type { WeakenedGuards } from './sabotage.js';

/** Replaces src/kernel/guard.ts through `vi.mock` in tests that weaken guards inside the test process. */
let weakened: WeakenedGuards = {};

export function weakenGuards(guards: WeakenedGuards): void {
  weakened = guards;
}

export const guard = (id: GuardId, value: unknown): unknown => {
  const weaken = weakened[id];
  return weaken ? weaken(value as never) : value;
};
