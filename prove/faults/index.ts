/** Fault injection: which faults exist, and the loop that injects them one at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, Mode } from '../deployment/deployment.js';
import type { Random } from '../random.js';
import type { Fault, FaultEffect } from './fault.js';
import { networkFaults } from './network.js';
import { freezeProcess, killProcess, skewClock, terminateProcess } from './processes.js';
import { storageFaults } from './storage.js';

export type { Fault, FaultEffect } from './fault.js';

const BETWEEN_FAULTS_MIN_MS = 200;
const BETWEEN_FAULTS_MAX_MS = 1000;

const FAULTS: readonly Fault[] = [
  killProcess,
  terminateProcess,
  freezeProcess,
  skewClock,
  ...networkFaults,
  ...storageFaults,
];

export const faultsOf = (mode: Mode): Fault[] => FAULTS.filter(({ modes }) => modes.includes(mode));

export interface InjectedFault {
  readonly fault: string;
  readonly detail: string;
  readonly effect: FaultEffect;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Injects one fault after another in random order until the time is up and each was injected at least once. After each
 * fault, processes that have stopped are started again.
 */
export async function injectFaultsUntil(
  deployment: Deployment,
  faults: readonly Fault[],
  random: Random,
  isTimeUp: () => boolean,
  onInjected: (injected: InjectedFault) => void,
): Promise<InjectedFault[]> {
  const injected: InjectedFault[] = [];
  let left = random.shuffled(faults);
  const isDone = (): boolean => isTimeUp() && injected.length >= faults.length;
  while (faults.length > 0 && !isDone()) {
    await sleep(random.between(BETWEEN_FAULTS_MIN_MS, BETWEEN_FAULTS_MAX_MS));
    if (left.length === 0) left = random.shuffled(faults);
    const fault = left.pop();
    if (!fault) break;
    const startMs = Date.now();
    const detail = await fault.inject(deployment, random);
    for (const process of deployment.processes) await process.start();
    const { name, effect } = fault;
    const done = { fault: name, detail, effect, startMs, endMs: Date.now() };
    injected.push(done);
    onInjected(done);
  }
  return injected;
}
