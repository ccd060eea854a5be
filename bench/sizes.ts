/** How much of everything. Only `full` is held against the targets. */
export interface Sizes {
  readonly warmSeconds: number;
  readonly seconds: number;
  /** Lines that are polled: short, long, very long. */
  readonly lines: readonly [small: number, middle: number, large: number];
  /** Different people of a line who poll. */
  readonly pollers: number;
  readonly joins: number;
  readonly herd: number;
  readonly herdConnections: number;
  /** Seats held, by a quarter as many fans. */
  readonly holds: number;
  readonly rivals: number;
  readonly contestedSeats: number;
  readonly payments: number;
  readonly bookings: number;
  readonly admitted: number;
  /** Lengths of the line at which memory and polls are measured while it grows. */
  readonly growth: readonly number[];
  readonly streams: number;
  readonly streamsAdmitted: number;
  readonly restarts: number;
}

export type SizeName = 'full' | 'quick' | 'smoke';

export const SIZES: Readonly<Record<SizeName, Sizes>> = {
  full: {
    warmSeconds: 2,
    seconds: 5,
    lines: [1000, 100_000, 1_000_000],
    pollers: 5000,
    joins: 100_000,
    herd: 10_000,
    herdConnections: 1000,
    holds: 80_000,
    rivals: 500,
    contestedSeats: 40,
    payments: 40_000,
    bookings: 20_000,
    admitted: 1000,
    growth: [0, 1000, 10_000, 100_000, 250_000, 500_000, 1_000_000],
    streams: 10_000,
    streamsAdmitted: 1000,
    restarts: 3,
  },
  quick: {
    warmSeconds: 0.2,
    seconds: 0.3,
    lines: [1000, 5000, 20_000],
    pollers: 1000,
    joins: 12_000,
    herd: 2500,
    herdConnections: 500,
    holds: 8000,
    rivals: 500,
    contestedSeats: 5,
    payments: 3000,
    bookings: 2000,
    admitted: 1000,
    growth: [0, 2000],
    streams: 500,
    streamsAdmitted: 100,
    restarts: 1,
  },
  smoke: {
    warmSeconds: 0.1,
    seconds: 0.2,
    lines: [200, 1000, 3000],
    pollers: 100,
    joins: 480,
    herd: 400,
    herdConnections: 100,
    holds: 400,
    rivals: 50,
    contestedSeats: 2,
    payments: 80,
    bookings: 100,
    admitted: 100,
    growth: [0, 200, 480],
    streams: 100,
    streamsAdmitted: 20,
    restarts: 1,
  },
};
