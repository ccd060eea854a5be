import { setTimeout as sleep } from 'node:timers/promises';
import type { Trouble } from '../proxy.js';
import type { Random } from '../random.js';
import type { Mode, World } from '../world/world.js';
import { BOTH, type Fault } from './fault.js';

const TROUBLE_MIN_MS = 500;
const TROUBLE_MAX_MS = 1500;

/** A bad wire for a while: in front of a process, or between it and its database. */
function onWire(
  side: 'front' | 'back',
  name: string,
  says: string,
  modes: readonly Mode[],
  trouble: (random: Random) => Trouble,
): Fault {
  return {
    name,
    says,
    modes,
    async strike({ processes }: World, random: Random) {
      const process = random.pick(processes);
      const wire = process[side];
      if (!wire) throw new Error(`There is no wire at the ${side} of process ${process.index}.`);
      const before = wire.strikes();
      wire.be(trouble(random));
      await sleep(random.between(TROUBLE_MIN_MS, TROUBLE_MAX_MS));
      wire.be(undefined);
      return `process ${process.index}, ${wire.strikes() - before} times`;
    },
  };
}

const CLUSTER: readonly Mode[] = ['cluster'];
const delay = (random: Random): Trouble => ({ kind: 'delay', ms: Math.round(random.between(20, 400)) });
const cut = (random: Random): Trouble => ({ kind: 'cut', afterBytes: 1 + random.below(1500) });

export const wires: readonly Fault[] = [
  onWire('front', 'delay', 'requests and answers are late', BOTH, delay),
  onWire('front', 'cut', 'connections break after a few bytes', BOTH, cut),
  onWire('front', 'lost-answers', 'requests are served, their answers are lost', BOTH, () => ({
    kind: 'swallow',
  })),
  onWire('front', 'replay', 'what was granted is asked for again by the network', BOTH, () => ({
    kind: 'replay',
  })),
  onWire('back', 'db-delay', 'the database is far away', CLUSTER, delay),
  onWire('back', 'db-cut', 'connections to the database break after a few bytes', CLUSTER, cut),
  onWire('back', 'db-lost-commit', 'the database commits, and its answer is lost', CLUSTER, () => ({
    kind: 'lose-commit',
  })),
];
