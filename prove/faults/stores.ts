import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../test/support/postgres/index.js';
import type { Disk, Mode, World } from '../world/world.js';
import type { Fault } from './fault.js';

const CLUSTER: readonly Mode[] = ['cluster'];
const EMBEDDED: readonly Mode[] = ['embedded'];
const FULL_MS = 1500;

function postgresOf({ postgres }: World): PostgresServer {
  if (!postgres) throw new Error('There is no PostgreSQL in this mode.');
  return postgres;
}

function diskOf({ disk }: World): Disk {
  if (!disk) throw new Error('There is no disk of our own in this mode.');
  return disk;
}

export const stores: readonly Fault[] = [
  {
    name: 'db-restart',
    says: 'PostgreSQL is restarted',
    modes: CLUSTER,
    async strike(world) {
      await postgresOf(world).restart('fast');
      return 'fast';
    },
  },
  {
    name: 'db-crash',
    says: 'PostgreSQL is killed with all its processes, and recovers',
    modes: CLUSTER,
    async strike(world) {
      await postgresOf(world).kill();
      await postgresOf(world).restart();
      return 'kill -9';
    },
  },
  {
    name: 'db-terminate',
    says: 'pg_terminate_backend of every connection',
    modes: CLUSTER,
    strike: async (world) => `${await postgresOf(world).terminateBackends()} connections`,
  },
  {
    name: 'db-stall',
    says: 'the processes of PostgreSQL stand still, as when its disk does not answer',
    modes: CLUSTER,
    async strike(world, random) {
      const ms = Math.round(random.between(300, 2500));
      await postgresOf(world).freeze(ms);
      return `${ms} ms`;
    },
  },
  {
    name: 'fsync-stall',
    says: 'every commit to the disk takes long',
    modes: EMBEDDED,
    async strike(world, random) {
      const ms = Math.round(random.between(50, 700));
      await diskOf(world).stall(ms);
      await sleep(4 * ms);
      await diskOf(world).stall(0);
      return `${ms} ms each`;
    },
  },
  {
    name: 'full-disk',
    says: 'the disk is full; it has space again, and whoever stopped is started again',
    modes: EMBEDDED,
    missing: (world) =>
      diskOf(world).fill ? undefined : 'no disk of limited size can be mounted here (that takes root)',
    async strike(world) {
      const [process] = world.processes;
      await diskOf(world).fill?.();
      await sleep(FULL_MS);
      await diskOf(world).free();
      const isRunning = process?.isRunning() ?? false;
      await process?.start();
      return isRunning ? 'it kept running' : 'it stopped, and came back';
    },
  },
];
