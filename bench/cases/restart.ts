import { startServer } from '../foyer/server.js';
import { medianOf } from '../measurement/statistics.js';
import { formatCount } from '../report/format-figure.js';
import type { BenchmarkCase } from './case.js';

/** From the start of the process until `/readyz` returns 200. */
export const restartCase = (waiting: number): BenchmarkCase => ({
  name: 'restart',
  rows: [{ id: 'restart', title: `restart with ${formatCount(waiting)} waiting, until ready` }],
  async run(context, record) {
    const { database } = await context.datasets.queue(waiting);
    const times: number[] = [];
    for (let restart = 0; restart < context.sizes.restarts; restart += 1) {
      const server = await startServer(database.env);
      times.push(server.readySeconds);
      await server.stop();
    }
    record('restart', { figures: { readySeconds: medianOf(times) } });
  },
});
