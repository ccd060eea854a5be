import { type Static, Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { startWorker, type Worker } from '../child-processes.js';

const STREAMS_PER_PROCESS = 5000;

export const CommandSchema = Type.Union([
  Type.Object({ open: Type.Array(Type.String()), port: Type.Integer() }),
  Type.Object({ report: Type.Literal(true) }),
]);
type Command = Static<typeof CommandSchema>;

/** What the streams have received since they were opened. */
const StreamsReportSchema = Type.Object({
  /** `position` events, without the first one of each stream. */
  positions: Type.Integer(),
  /** Streams that were closed. */
  lost: Type.Integer(),
  /** One per `admitted` event: from the admission to the receipt of the event. */
  delaysMs: Type.Array(Type.Number()),
});
export type StreamsReport = Static<typeof StreamsReportSchema>;

export interface Streams {
  report(): Promise<StreamsReport>;
  close(): Promise<void>;
}

/** Sends each request as an event stream and keeps all of them open, spread over several processes. */
export async function openStreams(port: number, requests: readonly string[]): Promise<Streams> {
  const workers: Worker[] = [];
  const send = async (worker: Worker, command: Command): Promise<StreamsReport> =>
    parse(StreamsReportSchema, await worker.request(command), 'the report of a stream process');
  for (let start = 0; start < requests.length; start += STREAMS_PER_PROCESS) {
    const worker = startWorker(new URL('./stream-process.js', import.meta.url));
    workers.push(worker);
    await send(worker, { port, open: requests.slice(start, start + STREAMS_PER_PROCESS) });
  }
  return {
    async report() {
      const reports = await Promise.all(workers.map((worker) => send(worker, { report: true })));
      return {
        positions: reports.reduce((sum, { positions }) => sum + positions, 0),
        lost: reports.reduce((sum, { lost }) => sum + lost, 0),
        delaysMs: reports.flatMap(({ delaysMs }) => delaysMs),
      };
    },
    async close() {
      for (const worker of workers) await worker.stop();
    },
  };
}
