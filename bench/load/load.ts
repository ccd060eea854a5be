/** The load generator: a process of its own, so that what it costs is not the server's. Takes jobs over the channel. */
import { parse } from '../../test/support/machine/parse.js';
import { JobSchema } from './job.js';
import { runJob } from './run-job.js';

process.on('message', (message) => {
  runJob(parse(JobSchema, message, 'a job')).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      throw error;
    },
  );
});
