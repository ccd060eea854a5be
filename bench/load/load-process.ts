/** Child process of `load-generator.ts`: runs the jobs that the parent sends, one at a time. */
import { parse } from '../../test/support/machine/parse.js';
import { JobSchema } from './job.js';
import { runJob } from './run-job.js';

process.on('message', (message) => {
  runJob(parse(JobSchema, message, 'a load job')).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      throw error;
    },
  );
});
