/** The result file (`result.json`). Stored results have this format, so field and figure names must not change. */
import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { parse } from '../test/support/machine/parse.js';

/** Figures by name, with the unit at the end of the name. */
const RoundSchema = Type.Object({
  figures: Type.Record(Type.String(), Type.Number()),
  /** Number of responses by HTTP status. */
  statuses: Type.Optional(Type.Record(Type.String(), Type.Integer())),
});
export type Round = Static<typeof RoundSchema>;

const RowSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  rounds: Type.Array(RoundSchema),
  /** Why the case was skipped. */
  absent: Type.Optional(Type.String()),
  /** Why the case failed, one entry per failed round. */
  faults: Type.Array(Type.String()),
});
export type Row = Static<typeof RowSchema>;

const PointSchema = Type.Object({ x: Type.Number(), y: Type.Number() });
const SeriesSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  xTitle: Type.String(),
  yTitle: Type.String(),
  points: Type.Array(PointSchema),
});
export type Series = Static<typeof SeriesSchema>;

export const ResultSchema = Type.Object({
  format: Type.Literal(1),
  mode: Type.Union([Type.Literal('embedded'), Type.Literal('cluster')]),
  size: Type.Union([Type.Literal('full'), Type.Literal('quick'), Type.Literal('smoke')]),
  rounds: Type.Integer(),
  startedAt: Type.String(),
  tookSeconds: Type.Number(),
  machine: Type.Record(Type.String(), Type.String()),
  rows: Type.Array(RowSchema),
  series: Type.Array(SeriesSchema),
});
export type Result = Static<typeof ResultSchema>;
export type Mode = Result['mode'];

export const readResult = (path: string): Result =>
  parse(ResultSchema, JSON.parse(readFileSync(path, 'utf8')), path);
