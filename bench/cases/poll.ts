import { strict as assert } from 'node:assert';
import type { CaseGroup } from '../bench.js';
import { inTurns } from '../in-turns.js';
import { placesOf } from '../look-up.js';
import { perSecond, roundOf } from '../measure.js';
import { poll } from '../requests.js';
import { type Server, serving } from '../servers.js';
import { queueToken } from '../tokens.js';

const ROWS = ['poll-small', 'poll-middle', 'poll-large'] as const;

/** Asking for one's place, in lines of three lengths, with both empty servers in between. */
export const pollCases = (lines: readonly number[]): CaseGroup => ({
  name: 'poll',
  rows: [
    { id: 'http', title: 'reference: node:http alone' },
    { id: 'fastify', title: 'reference: an empty Fastify route' },
    ...ROWS.map((id, index) => ({ id, title: `poll, ${(lines[index] ?? 0).toLocaleString('en')} waiting` })),
  ],
  async run(bench, fill) {
    const { load, references, sizes } = bench;
    const { warmSeconds, seconds } = sizes;
    const pollers: { server: Server; visits: string[][] }[] = [];
    const start = async ([length, ...rest]: readonly number[]): Promise<void> => {
      if (length === undefined) return measureAll();
      const waiting = await bench.datasets.line(length);
      const places = await placesOf(waiting, sizes.pollers);
      const visits = places.map((place) => [poll(queueToken(waiting.concertId, place))]);
      await serving(waiting.data, (server) => {
        pollers.push({ server, visits });
        return start(rest);
      });
    };

    async function measureAll(): Promise<void> {
      let bodyBytes = 0;
      for (const { server, visits } of pollers) {
        const warmed = await load.run({ port: server.port, visits, seconds: warmSeconds });
        bodyBytes = warmed.bodyBytes;
      }
      const [http, fastify, ...polled] = await inTurns(load, [
        await references.requestOf('http', bodyBytes),
        await references.requestOf('fastify', bodyBytes),
        ...pollers.map(({ server, visits }) => ({ port: server.port, visits, seconds })),
      ]);
      assert(http && fastify && polled[0]);
      fill('http', roundOf(http));
      fill('fastify', roundOf(fastify));
      const shortest = perSecond(polled[0]);
      for (const [index, outcome] of polled.entries()) {
        const rate = perSecond(outcome);
        const figures = { ofFastify: rate / perSecond(fastify), ofShortLine: rate / shortest };
        fill(ROWS[index] ?? '', roundOf(outcome, figures));
      }
    }

    await start(sizes.lines);
  },
});
