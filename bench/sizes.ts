/** How much each case measures. The targets apply to `full` only. */
export interface Sizes {
  readonly warmUpSeconds: number;
  readonly measureSeconds: number;
  readonly queueLengths: readonly [small: number, middle: number, large: number];
  /** Users that polls and charges are spread over. */
  readonly distinctUsers: number;
  readonly joins: number;
  /** Users who join concurrently. */
  readonly herd: number;
  readonly herdConnections: number;
  /** Seats to hold, by a quarter as many fans. */
  readonly holds: number;
  /** Fans who request the same seat concurrently. */
  readonly contenders: number;
  readonly contestedSeats: number;
  readonly payments: number;
  readonly bookings: number;
  readonly admitted: number;
  /** Queue lengths at which memory and polls are measured while the queue grows. */
  readonly growthSteps: readonly number[];
  readonly streams: number;
  readonly streamsAdmitted: number;
  readonly restarts: number;
  /** ACTIVE places that expire after this time, each replaced by the next fan. */
  readonly turnover: { readonly active: number; readonly activeSeconds: number };
  /** Long enough for several runs of the background job. */
  readonly turnoverSeconds: number;
  /** Long enough for dozens of password hashes. */
  readonly signInSeconds: number;
}

export type SizeName = 'full' | 'quick' | 'smoke';

export const SIZES: Readonly<Record<SizeName, Sizes>> = {
  full: {
    warmUpSeconds: 2,
    measureSeconds: 5,
    queueLengths: [1000, 100_000, 1_000_000],
    distinctUsers: 5000,
    joins: 100_000,
    herd: 10_000,
    herdConnections: 1000,
    holds: 80_000,
    contenders: 500,
    contestedSeats: 40,
    payments: 40_000,
    bookings: 20_000,
    admitted: 1000,
    growthSteps: [0, 1000, 10_000, 100_000, 250_000, 500_000, 1_000_000],
    streams: 10_000,
    streamsAdmitted: 1000,
    restarts: 3,
    turnover: { active: 20_000, activeSeconds: 20 },
    turnoverSeconds: 10,
    signInSeconds: 15,
  },
  quick: {
    warmUpSeconds: 0.2,
    measureSeconds: 0.3,
    queueLengths: [1000, 5000, 20_000],
    distinctUsers: 1000,
    joins: 12_000,
    herd: 2500,
    herdConnections: 500,
    holds: 8000,
    contenders: 500,
    contestedSeats: 5,
    payments: 3000,
    bookings: 2000,
    admitted: 1000,
    growthSteps: [0, 2000],
    streams: 500,
    streamsAdmitted: 100,
    restarts: 1,
    turnover: { active: 2000, activeSeconds: 4 },
    turnoverSeconds: 3,
    signInSeconds: 5,
  },
  smoke: {
    warmUpSeconds: 0.1,
    measureSeconds: 0.2,
    queueLengths: [200, 1000, 3000],
    distinctUsers: 100,
    joins: 480,
    herd: 400,
    herdConnections: 100,
    holds: 400,
    contenders: 50,
    contestedSeats: 2,
    payments: 80,
    bookings: 100,
    admitted: 100,
    growthSteps: [0, 200, 480],
    streams: 100,
    streamsAdmitted: 20,
    restarts: 1,
    turnover: { active: 100, activeSeconds: 1 },
    turnoverSeconds: 1,
    signInSeconds: 2,
  },
};
