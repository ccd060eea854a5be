import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type CaseGroup, onCopy } from '../bench.js';
import { placeAt } from '../look-up.js';
import { signIn } from '../operator.js';
import { parse } from '../../test/support/machine/parse.js';
import { serving, startFoyer } from '../servers.js';
import { medianOf } from '../stats.js';
import { queueToken } from '../tokens.js';

const StatusSchema = Type.Object({ status: Type.String() });
const LOOK_EVERY_MS = 1;
const ADMIT_MAX_MS = 60_000;

const count = (number: number): string => number.toLocaleString('en');

/** From the promoter's word until the last of them is told that they are in. */
export const admissionCase = (admitted: number, waiting: number): CaseGroup => ({
  name: 'admission',
  rows: [{ id: 'admission', title: `admission of ${count(admitted)} from a line of ${count(waiting)}` }],
  async run(bench, fill) {
    const prepared = await bench.datasets.line(waiting);
    const { data, concertId } = prepared;
    const last = await placeAt(prepared, admitted);
    const headers = { authorization: `Bearer ${queueToken(concertId, last)}` };
    await onCopy(bench, data, (copy) =>
      serving(copy, async (server) => {
        const operator = await signIn(server);
        const startedMs = performance.now();
        const change = operator.changePolicy(concertId, { maxActive: admitted });
        for (;;) {
          const answer = await fetch(`${server.url}/api/v1/queue-tokens/me`, { headers });
          if (parse(StatusSchema, await answer.json(), 'the place').status === 'ACTIVE') break;
          if (performance.now() - startedMs > ADMIT_MAX_MS) throw new Error('they were not let in');
          await sleep(LOOK_EVERY_MS);
        }
        const ms = performance.now() - startedMs;
        await change;
        fill('admission', { figures: { ms, admittedPerSecond: admitted / (ms / 1000) } });
      }),
    );
  },
});

/** From the start of the process until /readyz says yes. */
export const restartCase = (waiting: number): CaseGroup => ({
  name: 'restart',
  rows: [{ id: 'restart', title: `restart with ${count(waiting)} waiting, until ready` }],
  async run(bench, fill) {
    const { data } = await bench.datasets.line(waiting);
    const times: number[] = [];
    for (let restart = 0; restart < bench.sizes.restarts; restart += 1) {
      const server = await startFoyer(data.env);
      times.push(server.readySeconds);
      await server.stop();
    }
    fill('restart', { figures: { readySeconds: medianOf(times) } });
  },
});
