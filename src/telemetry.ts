import { createMetrics, type Metrics, observeEventLoop, observeProcess } from './platform/metrics/index.js';

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Everything Foyer counts, by the names an operator finds in `/metrics`. */
export interface Telemetry {
  readonly metrics: Metrics;
  committed(groupSize: number): void;
  admitted(count: number): void;
  placesEnded(how: 'DONE' | 'EXPIRED' | 'LEFT', count: number): void;
  held(): void;
  holdsExpired(count: number): void;
  paid(amount: number): void;
  /** Read at each scrape. */
  watch(totals: () => { waiting: number; active: number }, streams: () => number): void;
  stop(): void;
}

export function createTelemetry(): Telemetry {
  const metrics = createMetrics();
  const loop = observeEventLoop(metrics);
  observeProcess(metrics);
  const commits = metrics.histogram(
    'foyer_commit_group_size',
    'Transactions that shared one commit.',
    GROUP_SIZES,
  );
  const admissions = metrics.counter('foyer_queue_admitted_total', 'Places let in.');
  const ended = (reason: string) =>
    metrics.counter('foyer_queue_places_ended_total', 'Places ended, by reason.', { reason });
  const endings = { DONE: ended('done'), EXPIRED: ended('expired'), LEFT: ended('left') };
  const holds = metrics.counter('foyer_holds_total', 'Reservations made.');
  const expiries = metrics.counter('foyer_holds_expired_total', 'Reservations that ran out unpaid.');
  const payments = metrics.counter('foyer_payments_total', 'Payments made.');
  const revenue = metrics.counter('foyer_revenue_total', "Money taken, in the currency's minor unit.");

  return {
    metrics,
    committed: (groupSize) => {
      commits.observe(groupSize);
    },
    admitted: (count) => {
      admissions.inc(count);
    },
    placesEnded: (how, count) => {
      endings[how].inc(count);
    },
    held: () => {
      holds.inc();
    },
    holdsExpired: (count) => {
      expiries.inc(count);
    },
    paid: (amount) => {
      payments.inc();
      revenue.inc(amount);
    },
    watch(totals, streams) {
      metrics.gauge(
        'foyer_queue_waiting',
        'People waiting, in all rooms.',
        undefined,
        () => totals().waiting,
      );
      metrics.gauge('foyer_queue_active', 'Places ACTIVE, in all rooms.', undefined, () => totals().active);
      metrics.gauge('foyer_event_streams', 'Open event streams.', undefined, streams);
    },
    stop: () => {
      loop.stop();
    },
  };
}
