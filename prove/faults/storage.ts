import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../test/support/postgres/index.js';
import type { Deployment, Disk, Mode } from '../deployment/deployment.js';
import type { Fault } from './fault.js';

const CLUSTER: readonly Mode[] = ['cluster'];
const EMBEDDED: readonly Mode[] = ['embedded'];
const DISK_FULL_MS = 1500;

function postgresOf({ postgres }: Deployment): PostgresServer {
  if (!postgres) throw new Error('There is no PostgreSQL in this mode.');
  return postgres;
}

function diskOf({ disk }: Deployment): Disk {
  if (!disk) throw new Error('There is no disk to break in this mode.');
  return disk;
}

export const storageFaults: readonly Fault[] = [
  {
    name: 'db-restart',
    effect: 'stall',
    description: 'PostgreSQL is restarted',
    modes: CLUSTER,
    async inject(deployment) {
      await postgresOf(deployment).restart('fast');
      return 'fast';
    },
  },
  {
    name: 'db-crash',
    effect: 'stall',
    description: 'SIGKILL of all PostgreSQL processes, then crash recovery',
    modes: CLUSTER,
    async inject(deployment) {
      await postgresOf(deployment).kill();
      await postgresOf(deployment).restart();
      return 'SIGKILL';
    },
  },
  {
    name: 'db-terminate',
    effect: 'stall',
    description: 'pg_terminate_backend of every connection',
    modes: CLUSTER,
    inject: async (deployment) => `${await postgresOf(deployment).terminateBackends()} connections`,
  },
  {
    name: 'db-stall',
    effect: 'stall',
    description: 'SIGSTOP of all PostgreSQL processes, like a disk that does not respond',
    modes: CLUSTER,
    async inject(deployment, random) {
      const ms = Math.round(random.between(300, 2500));
      await postgresOf(deployment).freeze(ms);
      return `${ms} ms`;
    },
  },
  {
    name: 'fsync-stall',
    effect: 'stall',
    description: 'every commit is slow',
    modes: EMBEDDED,
    async inject(deployment, random) {
      const ms = Math.round(random.between(50, 700));
      await diskOf(deployment).setCommitDelay(ms);
      await sleep(4 * ms);
      await diskOf(deployment).setCommitDelay(0);
      return `${ms} ms each`;
    },
  },
  {
    name: 'full-disk',
    effect: 'restart',
    description: 'the disk is full for a while; Foyer may stop, and is restarted once there is space',
    modes: EMBEDDED,
    unavailableReason: (deployment) =>
      diskOf(deployment).fill ? undefined : 'a disk of limited size cannot be mounted here (needs root)',
    async inject(deployment) {
      const [process] = deployment.processes;
      await diskOf(deployment).fill?.();
      await sleep(DISK_FULL_MS);
      await diskOf(deployment).free();
      const isRunning = process?.isRunning() ?? false;
      await process?.start();
      return isRunning ? 'kept running' : 'stopped and was restarted';
    },
  },
];
