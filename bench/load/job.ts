import { type Static, Type } from 'typebox';

/** Something of an answer that later requests of the same visitor need, as `{{name}}`. */
const CaptureSchema = Type.Object({
  step: Type.Integer(),
  name: Type.String(),
  /** A regular expression with one group. */
  pattern: Type.String(),
});

/** What the load process is asked to do: bounded in count (with `once`) and in time, always. */
export const JobSchema = Type.Object({
  port: Type.Integer(),
  connections: Type.Integer({ minimum: 1 }),
  seconds: Type.Number(),
  /** Each visit is one visitor's requests, one after the other, as they go over the wire. */
  visits: Type.Array(Type.Array(Type.String(), { minItems: 1 }), { minItems: 1 }),
  /** Every visit at most once, instead of round and round. */
  once: Type.Boolean(),
  /** Visits that begin in a second; as fast as answers come when it is left out. */
  pace: Type.Optional(Type.Number()),
  /** Statuses that belong to the case. Any other ends the job as failed. */
  expect: Type.Array(Type.Integer()),
  captures: Type.Optional(Type.Array(CaptureSchema)),
});
export type Job = Static<typeof JobSchema>;

export const OutcomeSchema = Type.Object({
  visits: Type.Integer(),
  seconds: Type.Number(),
  /** How often each status came. */
  statuses: Type.Record(Type.String(), Type.Integer()),
  /** Of one answer, on average. */
  bodyBytes: Type.Number(),
  wireBytes: Type.Number(),
  /** The share of a core that the load process itself used: near 1 it was the bottleneck. */
  loadShare: Type.Number(),
  /** A histogram of the time a visit took. */
  latency: Type.Array(Type.Integer()),
  /** What the captures found, by the index of the visit. */
  captured: Type.Array(Type.Object({ visit: Type.Integer(), text: Type.String() })),
  /** Why the case has failed. */
  fault: Type.Optional(Type.String()),
});
export type Outcome = Static<typeof OutcomeSchema>;
