import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { Mode, World } from '../world/world.js';
import type { Fault } from './fault.js';
import { frozen, killed, terminated, wrongClock } from './processes.js';
import { stores } from './stores.js';
import { wires } from './wires.js';

const CALM_MIN_MS = 200;
const CALM_MAX_MS = 1000;

export type { Fault } from './fault.js';

const FAULTS: readonly Fault[] = [killed, terminated, frozen, wrongClock, ...wires, ...stores];

export const faultsOf = (mode: Mode): Fault[] => FAULTS.filter(({ modes }) => modes.includes(mode));

/** One that struck, and when. */
export interface Strike {
  readonly fault: string;
  readonly did: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Strikes with one fault after another, each at least once and in no order, until the time is over; answers what struck. A
 * process that ended by itself is started again.
 */
export async function strikeUntil(
  world: World,
  faults: readonly Fault[],
  random: Random,
  isOver: () => boolean,
  say: (strike: Strike) => void,
): Promise<Strike[]> {
  const strikes: Strike[] = [];
  let left = random.shuffled(faults);
  const isDone = (): boolean => isOver() && strikes.length >= faults.length;
  while (faults.length > 0 && !isDone()) {
    await sleep(random.between(CALM_MIN_MS, CALM_MAX_MS));
    if (left.length === 0) left = random.shuffled(faults);
    const fault = left.pop();
    if (!fault) break;
    const startMs = Date.now();
    const did = await fault.strike(world, random);
    for (const process of world.processes) await process.start();
    const strike = { fault: fault.name, did, startMs, endMs: Date.now() };
    strikes.push(strike);
    say(strike);
  }
  return strikes;
}
