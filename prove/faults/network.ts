import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, Mode } from '../deployment/deployment.js';
import type { ConnectionFault } from '../proxy.js';
import type { Random } from '../random.js';
import { BOTH_MODES, type Fault } from './fault.js';

const FAULT_MIN_MS = 500;
const FAULT_MAX_MS = 1500;

/** A connection fault in one of the two proxies of a random process, for a short time. */
const networkFault = (
  proxyName: 'httpProxy' | 'databaseProxy',
  modes: readonly Mode[],
  name: string,
  description: string,
  createFault: (random: Random) => ConnectionFault,
): Fault => ({
  name,
  description,
  modes,
  effect: proxyName === 'httpProxy' ? 'network' : 'stall',
  async inject({ processes }: Deployment, random: Random) {
    const process = random.pick(processes);
    const proxy = process[proxyName];
    if (!proxy) throw new Error(`Process ${process.index} has no ${proxyName}.`);
    const countBefore = proxy.faultCount();
    proxy.setFault(createFault(random));
    await sleep(random.between(FAULT_MIN_MS, FAULT_MAX_MS));
    proxy.setFault(undefined);
    return `process ${process.index}, ${proxy.faultCount() - countBefore} times`;
  },
});

const delay = (random: Random): ConnectionFault => ({
  kind: 'delay',
  ms: Math.round(random.between(20, 400)),
});
const cut = (random: Random): ConnectionFault => ({ kind: 'cut', afterBytes: 1 + random.below(1500) });

const CLUSTER: readonly Mode[] = ['cluster'];

export const networkFaults: readonly Fault[] = [
  networkFault('httpProxy', BOTH_MODES, 'delay', 'requests and responses are delayed', delay),
  networkFault('httpProxy', BOTH_MODES, 'cut', 'connections break after a few bytes', cut),
  networkFault(
    'httpProxy',
    BOTH_MODES,
    'lost-answers',
    'requests are processed, but their responses are lost',
    () => ({
      kind: 'drop-responses',
    }),
  ),
  networkFault('httpProxy', BOTH_MODES, 'replay', 'the network delivers requests with a key twice', () => ({
    kind: 'replay',
  })),
  networkFault('databaseProxy', CLUSTER, 'db-delay', 'traffic to and from the database is delayed', delay),
  networkFault(
    'databaseProxy',
    CLUSTER,
    'db-cut',
    'connections to the database break after a few bytes',
    cut,
  ),
  networkFault(
    'databaseProxy',
    CLUSTER,
    'db-lost-commit',
    'the database commits, but its confirmation is lost',
    () => ({
      kind: 'lose-commit',
    }),
  ),
];
