import { setTimeout as sleep } from 'node:timers/promises';
import { BOTH, type Fault } from './fault.js';

const MINUTE_MS = 60_000;

export const killed: Fault = {
  name: 'kill',
  says: 'kill -9 of a process, which is started again',
  modes: BOTH,
  async strike({ processes }, random) {
    const process = random.pick(processes);
    await process.kill();
    await sleep(random.between(0, 1000));
    await process.start();
    return `process ${process.index}`;
  },
};

export const terminated: Fault = {
  name: 'term',
  says: 'SIGTERM of a process, which is started again',
  modes: BOTH,
  async strike({ processes }, random) {
    const process = random.pick(processes);
    const code = await process.terminate();
    if (code !== 0) throw new Error(`Process ${process.index} ended with ${String(code)} after SIGTERM.`);
    await process.start();
    return `process ${process.index}`;
  },
};

export const frozen: Fault = {
  name: 'freeze',
  says: 'a process does nothing for up to four seconds, as if its event loop were blocked',
  modes: BOTH,
  async strike({ processes }, random) {
    const process = random.pick(processes);
    const ms = Math.round(random.between(300, 4000));
    process.signal('SIGSTOP');
    await sleep(ms);
    process.signal('SIGCONT');
    return `process ${process.index} for ${ms} ms`;
  },
};

export const wrongClock: Fault = {
  name: 'clock',
  says: 'a process is started again with its clock off by minutes, and stays so',
  modes: ['cluster'],
  async strike({ processes, wrongClock: settings }, random) {
    const process = random.pick(processes);
    const offMs = Math.round(random.between(2, 20)) * MINUTE_MS * (random.chance(0.5) ? 1 : -1);
    await process.kill();
    await process.start(settings(offMs));
    return `process ${process.index} by ${offMs / MINUTE_MS} min`;
  },
};
