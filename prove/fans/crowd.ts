import { readAnswer, readProblem } from '../answers.js';
import type { Random } from '../random.js';
import { CallRecord, type Call, type Wish } from '../record.js';
import type { Sale } from '../sale.js';
import type { Door } from '../door.js';
import { Fan } from './fan.js';
import type { Scene } from './scene.js';

/** A sale keeps this many seats in front of the buyers: few enough that they get in each other's way. */
const WANTED_AT_ONCE = 40;

/** Not outcomes of a wish but of the moment: it may still be under way, or was never looked at. */
const UNDECIDED = new Set(['IDEMPOTENCY_KEY_IN_FLIGHT', 'TOO_MANY_REQUESTS']);

/** Everybody who wants something of this sale, and what they have seen. */
export interface Crowd {
  readonly record: CallRecord;
  readonly fans: readonly Fan[];
  /** Goes on until told to stop; then everybody finds out about what they do not know. */
  live(): Promise<void>;
  stop(giveUpAtMs: number): void;
}

export function gather(sale: Sale, doors: readonly Door[], random: Random): Crowd {
  const record = new CallRecord();
  const soldSeats = sale.dates.map(() => 0);
  let isOver = false;
  let giveUpAtMs = Infinity;

  async function ask(fan: number, at: number, wish: Wish): Promise<Call> {
    const door = doors[at];
    if (!door) throw new Error(`There is no door ${at}.`);
    const startMs = Date.now();
    const reply = await door.send(wish);
    const seen = { fan, door: at, wish, startMs, endMs: Date.now(), code: '', reason: '', text: '', saw: {} };
    const status = reply?.status ?? 0;
    if (!reply || status >= 500) return record.add({ ...seen, outcome: 'unknown', status });
    const text = wish.key === undefined && wish.what !== 'receipt' ? '' : reply.text;
    if (status >= 400) {
      const { code, reason, saw } = readProblem(reply.text);
      const outcome = UNDECIDED.has(code) ? 'unknown' : 'refused';
      return record.add({ ...seen, outcome, status, code, reason, text, saw });
    }
    return record.add({ ...seen, outcome: 'ok', status, text, saw: readAnswer(wish.what, reply.text) });
  }

  const scene: Scene = {
    sale,
    doors: doors.length,
    ask,
    wantedSeats(date) {
      const { seatIds = [] } = sale.dates[date] ?? {};
      const first = Math.max(0, Math.min(soldSeats[date] ?? 0, seatIds.length - WANTED_AT_ONCE));
      return seatIds.slice(first, first + WANTED_AT_ONCE);
    },
    sold(date, seats) {
      soldSeats[date] = (soldSeats[date] ?? 0) + seats;
    },
    recent: [],
    isOver: () => isOver,
    giveUpAtMs: () => giveUpAtMs,
  };
  const fans = sale.people.map((person, index) => new Fan(index, person, scene, random.fork()));
  return {
    record,
    fans,
    async live() {
      await Promise.all(fans.map((fan) => fan.live()));
    },
    stop(atMs) {
      isOver = true;
      giveUpAtMs = atMs;
    },
  };
}
