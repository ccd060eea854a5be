import { type Static, Type } from 'typebox';

/** A value of a response that later requests of the same scenario contain as `{{name}}`. */
const CaptureSchema = Type.Object({
  /** Index of the request in its scenario. */
  step: Type.Integer(),
  name: Type.String(),
  /** A regular expression with one group. */
  pattern: Type.String(),
});

/** What the load process is asked to do. Always bounded in time. */
export const JobSchema = Type.Object({
  port: Type.Integer(),
  connections: Type.Integer({ minimum: 1 }),
  seconds: Type.Number(),
  /** Each scenario is a list of HTTP requests, as text, that one virtual user sends in sequence. */
  scenarios: Type.Array(Type.Array(Type.String(), { minItems: 1 }), { minItems: 1 }),
  /** Whether each scenario runs at most once. Otherwise they repeat, in order, until the time limit. */
  once: Type.Boolean(),
  /** Open-loop load: scenarios started per second. Without it, each connection starts the next scenario immediately. */
  arrivalsPerSecond: Type.Optional(Type.Number()),
  /** Any other status fails the job. */
  expectedStatuses: Type.Array(Type.Integer()),
  captures: Type.Optional(Type.Array(CaptureSchema)),
});
export type Job = Static<typeof JobSchema>;

export const OutcomeSchema = Type.Object({
  /** Number of scenarios whose requests have all been answered. */
  completed: Type.Integer(),
  seconds: Type.Number(),
  /** Number of responses by status. */
  statuses: Type.Record(Type.String(), Type.Integer()),
  /** Mean size of a response body. */
  bodyBytes: Type.Number(),
  /** Mean size of a response with its head. */
  wireBytes: Type.Number(),
  /** Share of one core that the load process used. Near 1, the load generator was the bottleneck. */
  loadShare: Type.Number(),
  /** Counts of a `Histogram` of the time that a scenario took. */
  latency: Type.Array(Type.Integer()),
  /** Captured values, with the index of the scenario in the order of starting. */
  captured: Type.Array(Type.Object({ scenario: Type.Integer(), text: Type.String() })),
  /** Why the job failed. */
  error: Type.Optional(Type.String()),
});
export type Outcome = Static<typeof OutcomeSchema>;
