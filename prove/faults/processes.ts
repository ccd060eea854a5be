import { setTimeout as sleep } from 'node:timers/promises';
import { BOTH_MODES, type Fault } from './fault.js';

const MINUTE_MS = 60_000;

export const killProcess: Fault = {
  name: 'kill',
  effect: 'restart',
  description: 'SIGKILL of a process, then a restart',
  modes: BOTH_MODES,
  async inject({ processes }, random) {
    const process = random.pick(processes);
    await process.kill();
    await sleep(random.between(0, 1000));
    await process.start();
    return `process ${process.index}`;
  },
};

export const terminateProcess: Fault = {
  name: 'term',
  effect: 'restart',
  description: 'SIGTERM of a process, which must exit with 0, then a restart',
  modes: BOTH_MODES,
  async inject({ processes }, random) {
    const process = random.pick(processes);
    const code = await process.terminate();
    if (code !== 0) throw new Error(`Process ${process.index} exited with ${String(code)} after SIGTERM.`);
    await process.start();
    return `process ${process.index}`;
  },
};

export const freezeProcess: Fault = {
  name: 'freeze',
  effect: 'stall',
  description: 'SIGSTOP of a process for up to four seconds, like a blocked event loop',
  modes: BOTH_MODES,
  async inject({ processes }, random) {
    const process = random.pick(processes);
    const ms = Math.round(random.between(300, 4000));
    process.signal('SIGSTOP');
    await sleep(ms);
    process.signal('SIGCONT');
    return `process ${process.index} for ${ms} ms`;
  },
};

export const skewClock: Fault = {
  name: 'clock',
  effect: 'restart',
  description: 'a process is restarted with its clock wrong by 2 to 20 minutes, and keeps that clock',
  modes: ['cluster'],
  async inject({ processes, clockSkewEnv }, random) {
    const process = random.pick(processes);
    const offsetMs = Math.round(random.between(2, 20)) * MINUTE_MS * (random.chance(0.5) ? 1 : -1);
    await process.kill();
    await process.start(clockSkewEnv(offsetMs));
    return `process ${process.index} by ${offsetMs / MINUTE_MS} min`;
  },
};
