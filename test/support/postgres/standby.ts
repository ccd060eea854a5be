import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inNewInstance } from './instance.js';
import { type PostgresServer, startServerIn } from './server.js';
import { WAIT_MAX_MS, waitUntil } from '../machine/wait.js';

export interface StandbyServer extends PostgresServer {
  /** From now on the primary acknowledges a commit only after it is durable on this standby. */
  makeSynchronous(): Promise<void>;
  /** Makes it a primary, which accepts writes and waits for no standby. */
  promote(): Promise<void>;
}

/** Starts a standby that replicates the primary. */
export const startStandby = (primary: PostgresServer): Promise<StandbyServer> =>
  inNewInstance(async (instance) => {
    const name = `standby_${randomBytes(4).toString('hex')}`;
    const source = `${primary.url('')}?application_name=${name}`;
    const copyFlags = ['--wal-method=stream', '--checkpoint=fast', '--no-sync'];
    const replicationFlags = ['--write-recovery-conf', `--dbname=${source}`];
    await instance.run('pg_basebackup', ['-D', instance.dataDirectory, ...copyFlags, ...replicationFlags]);
    // The copy contains the primary's list of synchronous standbys; after a promotion this server would wait for them forever.
    await appendFile(
      join(instance.dataDirectory, 'postgresql.auto.conf'),
      "synchronous_standby_names = ''\n",
    );
    const server = await startServerIn(instance);

    const replicationColumn = (column: 'state' | 'sync_state'): Promise<string> =>
      primary.psql(
        'postgres',
        `SELECT ${column} FROM pg_stat_replication WHERE application_name = '${name}'`,
      );
    await waitUntil('the standby following its primary', async () => {
      return (await replicationColumn('state')) === 'streaming';
    });

    return {
      ...server,
      async makeSynchronous() {
        await primary.psql(
          'postgres',
          `ALTER SYSTEM SET synchronous_commit = 'on';
           ALTER SYSTEM SET synchronous_standby_names = '${name}';
           SELECT pg_reload_conf();`,
        );
        await waitUntil('the standby becoming synchronous', async () => {
          return (await replicationColumn('sync_state')) === 'sync';
        });
        // Commits wait only after the checkpointer has read the new setting: a checkpoint makes it read it.
        await primary.psql('postgres', 'CHECKPOINT');
      },
      async promote() {
        const isPromoted = await server.psql('postgres', `SELECT pg_promote(true, ${WAIT_MAX_MS / 1000})`);
        if (isPromoted !== 't') throw new Error('the standby was not promoted in time');
      },
    };
  });
