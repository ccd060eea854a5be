import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inNewServerDirectory } from './server-directory.js';
import { type PostgresServer, serve } from './server.js';
import { WAIT_MAX_MS, waitUntil } from '../machine/wait.js';

export interface StandbyServer extends PostgresServer {
  /** From now on the primary acknowledges a commit only when it is durable here, too. */
  makeSynchronous(): Promise<void>;
  /** Makes it a primary that takes writes, and waits for no standby. */
  promote(): Promise<void>;
}

/** A copy of the primary that follows it. */
export const startStandby = (primary: PostgresServer): Promise<StandbyServer> =>
  inNewServerDirectory(async (home) => {
    const name = `standby_${randomBytes(4).toString('hex')}`;
    const source = `${primary.url('')}?application_name=${name}`;
    const copying = ['--wal-method=stream', '--checkpoint=fast', '--no-sync'];
    const following = ['--write-recovery-conf', `--dbname=${source}`];
    await home.run('pg_basebackup', ['-D', home.dataDirectory, ...copying, ...following]);
    // What the primary waits for came along with the copy; as a primary this one would wait for it forever.
    await appendFile(join(home.dataDirectory, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
    const server = await serve(home);

    const replication = (column: 'state' | 'sync_state'): Promise<string> =>
      primary.psql(
        'postgres',
        `SELECT ${column} FROM pg_stat_replication WHERE application_name = '${name}'`,
      );
    await waitUntil('the standby following its primary', async () => {
      return (await replication('state')) === 'streaming';
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
          return (await replication('sync_state')) === 'sync';
        });
        // It is the checkpointer that makes commits wait, once it has read the new setting: give it something to do.
        await primary.psql('postgres', 'CHECKPOINT');
      },
      async promote() {
        const isPromoted = await server.psql('postgres', `SELECT pg_promote(true, ${WAIT_MAX_MS / 1000})`);
        if (isPromoted !== 't') throw new Error('the standby was not promoted in time');
      },
    };
  });
