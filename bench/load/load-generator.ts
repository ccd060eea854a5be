import { parse } from '../../test/support/machine/parse.js';
import { startWorker } from '../child-processes.js';
import { type Job, type Outcome, OutcomeSchema } from './job.js';

const CONNECTIONS_DEFAULT = 64;

export type JobRequest = Omit<Job, 'connections' | 'once' | 'expectedStatuses'> & Partial<Job>;

export interface LoadGenerator {
  /** Throws when a response has an unexpected status or the server does not respond. */
  run(request: JobRequest): Promise<Outcome>;
  stop(): Promise<void>;
}

/**
 * Starts the load generator in its own process, so that its CPU time does not count as the server's. One process serves
 * the whole run: its code is compiled and warm for the last case as it is for the first.
 */
export function startLoadGenerator(): LoadGenerator {
  const worker = startWorker(new URL('./load-process.js', import.meta.url));
  return {
    async run(request) {
      const job: Job = {
        connections: CONNECTIONS_DEFAULT,
        once: false,
        expectedStatuses: [200],
        ...request,
      };
      const outcome = parse(OutcomeSchema, await worker.request(job), 'the outcome of a load job');
      if (outcome.error !== undefined) {
        throw new Error(`${outcome.error} (statuses so far: ${JSON.stringify(outcome.statuses)})`);
      }
      if (outcome.completed === 0) throw new Error('no response arrived in time');
      return outcome;
    },
    stop: worker.stop,
  };
}
