import type { CaseGroup } from '../bench.js';
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
      const fastify = await references.measure('fastify', bodyBytes);
      fill('fastify', roundOf(fastify));
      let shortest: number | undefined;
      for (const [index, { server, visits }] of pollers.entries()) {
        const outcome = await load.run({ port: server.port, visits, seconds });
        const rate = perSecond(outcome);
        shortest ??= rate;
        const figures = { ofFastify: rate / perSecond(fastify), ofShortLine: rate / shortest };
        fill(ROWS[index] ?? '', roundOf(outcome, figures));
      }
      fill('http', roundOf(await references.measure('http', bodyBytes)));
    }

    await start(sizes.lines);
  },
});
