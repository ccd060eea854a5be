import type { OperatorText } from '../../texts/index.js';
import { lineOfJsonError } from './find-json-error.js';
import type { Plan, PlanError, PlanErrorKind, PlanLocation } from './plan.js';
import { eachSeat } from './plan.js';
import { parsePlan } from './parse-plan.js';

export const FILE_MAX_MB = 16;
const MB = 1024 * 1024;

/** The result of reading a chosen file. */
export type PlanFile =
  | { readonly state: 'valid'; readonly name: string; readonly plan: Plan }
  | { readonly state: 'tooLarge' | 'noSeats'; readonly name: string }
  | { readonly state: 'notJson'; readonly name: string; readonly line: number | null }
  | { readonly state: 'invalid'; readonly name: string; readonly errors: readonly PlanError[] };

export async function readPlanFile(file: File): Promise<PlanFile> {
  const { name } = file;
  if (file.size > FILE_MAX_MB * MB) return { state: 'tooLarge', name };
  const text = await file.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { state: 'notJson', name, line: lineOfJsonError(text) };
  }
  const { plan, errors } = parsePlan(value);
  if (errors.length > 0) return { state: 'invalid', name, errors };
  return eachSeat(plan).next().done === true ? { state: 'noSeats', name } : { state: 'valid', name, plan };
}

function describeKind(what: PlanErrorKind, { plan }: OperatorText): string {
  switch (what.kind) {
    case 'tooMany':
    case 'notText':
    case 'notPoint':
      return plan[what.kind](what.max);
    case 'noSuchCategory':
    case 'sameCategory':
      return plan[what.kind](what.name);
    case 'notAnObject':
    case 'notAList':
    case 'emptyList':
    case 'sameSeat':
    case 'samePosition':
    case 'sameGuid':
      return plan[what.kind];
  }
}

function describeLocation({ zone, row, seat, member }: PlanLocation, { plan }: OperatorText): string {
  const said = (name: string | number | undefined): string | undefined =>
    typeof name === 'number' ? plan.nth(name + 1) : name;
  const zoneName = said(zone);
  const place = zoneName === undefined ? undefined : plan.at(zoneName, said(row), said(seat));
  return [place, member].filter((part) => part !== undefined).join(', ') || plan.atFile;
}

/** For example `Zone “A”, row 3, seat 12: is there twice`. */
export const describePlanError = ({ at, what }: PlanError, text: OperatorText): string =>
  `${describeLocation(at, text)}: ${describeKind(what, text)}`;
