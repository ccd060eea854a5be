import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { readQueueToken } from '../datasets/read-ids.js';
import { signInAsOperator } from '../foyer/operator-client.js';
import { formatCount } from '../report/format-figure.js';
import { type BenchmarkCase, withServerOnCopy } from './case.js';

const StatusSchema = Type.Object({ status: Type.String() });
const POLL_INTERVAL_MS = 1;
const ADMIT_MAX_MS = 60_000;

/** From the operator's policy change until a poll by the last admitted fan returns ACTIVE. */
export const admissionCase = (admitted: number, waiting: number): BenchmarkCase => ({
  name: 'admission',
  rows: [
    {
      id: 'admission',
      title: `admission of ${formatCount(admitted)} out of ${formatCount(waiting)} waiting`,
    },
  ],
  async run(context, record) {
    const queue = await context.datasets.queue(waiting);
    const { database, concertId } = queue;
    const headers = { authorization: `Bearer ${await readQueueToken(queue, admitted)}` };
    await withServerOnCopy(context, database, async (server) => {
      const operator = await signInAsOperator(server);
      const startedMs = performance.now();
      const change = operator.changePolicy(concertId, { maxActive: admitted });
      for (;;) {
        const response = await fetch(`${server.url}/api/v1/queue-tokens/me`, { headers });
        if (parse(StatusSchema, await response.json(), 'the queue token').status === 'ACTIVE') break;
        if (performance.now() - startedMs > ADMIT_MAX_MS)
          throw new Error(`${admitted} places were not admitted within ${ADMIT_MAX_MS / 1000} s`);
        await sleep(POLL_INTERVAL_MS);
      }
      const ms = performance.now() - startedMs;
      await change;
      record('admission', { figures: { ms, admittedPerSecond: admitted / (ms / 1000) } });
    });
  },
});
