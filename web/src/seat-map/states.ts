import type { Chart } from './chart.js';

export type SeatStatus = 'AVAILABLE' | 'HELD' | 'SOLD';

export const AVAILABLE = 0;
export const HELD = 1;
export const SOLD = 2;
const CODE = { AVAILABLE, HELD, SOLD } as const satisfies Record<SeatStatus, number>;

export interface SeatChange {
  readonly id: string;
  readonly status: SeatStatus;
}

/** What every seat is at one moment. Never changed: a change makes the next one, so `===` tells whether to draw anew. */
export interface SeatStates {
  /** Counts up with every change made from the state that was read. */
  readonly version: number;
  /** AVAILABLE, HELD or SOLD, by seat. */
  readonly codes: Uint8Array;
  /** How many seats are free, by section. */
  readonly freeInSection: Uint32Array;
  readonly free: number;
}

/** Reads the answer of `GET /schedules/{id}/state`, or just its `seats`, and throws when it is not one of this chart. */
export function decodeState(body: unknown, chart: Chart): SeatStates {
  const packed = unpackBase64(seatsOf(body));
  const { count } = chart.seats;
  if (packed.length !== Math.ceil(count / 4)) throw new TypeError('state: not as many seats as in the chart');
  const codes = new Uint8Array(count);
  for (let seat = 0; seat < count; seat += 1) {
    const code = ((packed[seat >> 2] ?? 0) >> ((seat & 3) * 2)) & 3;
    if (code > SOLD) throw new TypeError(`state: seat ${seat} is in no known state`);
    codes[seat] = code;
  }
  return counted(chart, codes, 0);
}

/** The states after these changes; the same object when they change nothing. Seats of other charts are passed over. */
export function applyChanges(states: SeatStates, chart: Chart, changes: readonly SeatChange[]): SeatStates {
  // Copying 50,000 bytes takes microseconds, and what was handed out stays as it was.
  const codes = states.codes.slice();
  let changed = false;
  for (const { id, status } of changes) {
    const seat = chart.indexOfId.get(id);
    if (seat === undefined || codes[seat] === CODE[status]) continue;
    codes[seat] = CODE[status];
    changed = true;
  }
  return changed ? counted(chart, codes, states.version + 1) : states;
}

function counted(chart: Chart, codes: Uint8Array, version: number): SeatStates {
  const freeInSection = new Uint32Array(chart.sections.length);
  let free = 0;
  for (let seat = 0; seat < codes.length; seat += 1) {
    if (codes[seat] !== AVAILABLE) continue;
    const section = chart.rows[chart.seats.row[seat] ?? 0]?.section ?? 0;
    freeInSection[section] = (freeInSection[section] ?? 0) + 1;
    free += 1;
  }
  return { version, codes, freeInSection, free };
}

function seatsOf(body: unknown): string {
  const seats = typeof body === 'object' && body !== null && 'seats' in body ? body.seats : body;
  if (typeof seats !== 'string') throw new TypeError('state: seats is not a string');
  return seats;
}

function unpackBase64(text: string): Uint8Array {
  const bytes = atob(text);
  const unpacked = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) unpacked[index] = bytes.charCodeAt(index);
  return unpacked;
}
