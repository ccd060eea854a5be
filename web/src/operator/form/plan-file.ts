import type { OperatorText } from '../texts/index.js';
import { brokenLine } from './json-line.js';
import type { Plan, PlanFault, PlanFaultKind, PlanPlace } from './plan.js';
import { seatsOf } from './plan.js';
import { readPlan } from './read-plan.js';

export const FILE_MAX_MB = 16;
const MB = 1024 * 1024;

/** What became of a file that was chosen. */
export type PlanFile =
  | { readonly state: 'fine'; readonly name: string; readonly plan: Plan }
  | { readonly state: 'tooLarge' | 'noSeats'; readonly name: string }
  | { readonly state: 'notJson'; readonly name: string; readonly line: number | null }
  | { readonly state: 'faulty'; readonly name: string; readonly faults: readonly PlanFault[] };

export async function openPlanFile(file: File): Promise<PlanFile> {
  const { name } = file;
  if (file.size > FILE_MAX_MB * MB) return { state: 'tooLarge', name };
  const text = await file.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { state: 'notJson', name, line: brokenLine(text) };
  }
  const { plan, faults } = readPlan(value);
  if (faults.length > 0) return { state: 'faulty', name, faults };
  return seatsOf(plan).next().done === true ? { state: 'noSeats', name } : { state: 'fine', name, plan };
}

function sayWhat(what: PlanFaultKind, { plan }: OperatorText): string {
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
    case 'samePlace':
    case 'sameGuid':
      return plan[what.kind];
  }
}

function sayPlace({ zone, row, seat, member }: PlanPlace, { plan }: OperatorText): string {
  const said = (name: string | number | undefined): string | undefined =>
    typeof name === 'number' ? plan.nth(name + 1) : name;
  const zoneName = said(zone);
  const place = zoneName === undefined ? undefined : plan.at(zoneName, said(row), said(seat));
  return [place, member].filter((part) => part !== undefined).join(', ') || plan.atFile;
}

/** `Zone A, row 3, seat 12: is there twice`. */
export const sayPlanFault = ({ at, what }: PlanFault, text: OperatorText): string =>
  `${sayPlace(at, text)}: ${sayWhat(what, text)}`;
