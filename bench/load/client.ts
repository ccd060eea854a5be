import { type Helper, startHelper } from '../children.js';
import { parse } from '../../test/support/machine/parse.js';
import { type Job, type Outcome, OutcomeSchema } from './job.js';

/** Unless a case says otherwise. */
const CONNECTIONS = 64;

export type Request = Omit<Job, 'connections' | 'once' | 'expect'> & Partial<Job>;

export interface Load {
  /** Throws when an answer came that does not belong to the case. */
  run(job: Request): Promise<Outcome>;
  stop(): Promise<void>;
}

/** One process for the whole run: it is warm when the first case begins, as it is for the last. */
export function startLoad(): Load {
  const helper: Helper = startHelper(new URL('./load.js', import.meta.url));
  return {
    async run(request) {
      const job: Job = { connections: CONNECTIONS, once: false, expect: [200], ...request };
      const outcome = parse(OutcomeSchema, await helper.ask(job), 'what the load process said');
      if (outcome.fault !== undefined) {
        throw new Error(`${outcome.fault} (after ${JSON.stringify(outcome.statuses)})`);
      }
      if (outcome.visits === 0) throw new Error('nobody was answered in time');
      return outcome;
    },
    stop: helper.stop,
  };
}
