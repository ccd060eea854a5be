import type { Call, Wish } from '../record.js';
import type { Sale } from '../sale.js';

const RECENT_MAX = 50;

/** What fans share. */
export interface Scene {
  readonly sale: Sale;
  readonly doors: number;
  /** Sends it through a door, and writes down what came of it. */
  ask(fan: number, door: number, wish: Wish): Promise<Call>;
  /** Seats of a date that many want at the same time. */
  wantedSeats(date: number): readonly string[];
  sold(date: number, seats: number): void;
  /** Reservations of whoever, for those who cheat. */
  readonly recent: { readonly fan: number; readonly reservationId: string }[];
  isOver(): boolean;
  giveUpAtMs(): number;
}

/** Remembered by whoever cheats. */
export function remember({ recent }: Scene, fan: number, reservationId: string): void {
  recent.push({ fan, reservationId });
  if (recent.length > RECENT_MAX) recent.shift();
}
