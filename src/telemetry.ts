import { createMetrics, type Metrics, observeEventLoop, observeProcess } from './platform/metrics/index.js';

const GROUP_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

interface QueueTotals {
  readonly waiting: number;
  /** In queues that admit. */
  readonly waitingOpen: number;
  readonly active: number;
}

/** Foyer's own metrics, as `/metrics` shows them. HTTP metrics are in http/observability. */
export interface Telemetry {
  readonly metrics: Metrics;
  recordCommit(groupSize: number): void;
  recordAdmissions(count: number): void;
  recordEndedPlaces(status: 'DONE' | 'EXPIRED' | 'LEFT' | 'CLOSED', count: number): void;
  recordHold(): void;
  recordExpiredHolds(count: number): void;
  recordPayment(amount: number): void;
  recordMail(outcome: 'sent' | 'retried' | 'failed'): void;
  /** Adds gauges whose values are read at each scrape. */
  addGauges(totals: () => QueueTotals, streams: () => number): void;
  addSeatGauges(loaded: () => { inventories: number; seats: number }): void;
  stop(): void;
}

export function createTelemetry(): Telemetry {
  const metrics = createMetrics();
  const loop = observeEventLoop(metrics);
  observeProcess(metrics);
  const commits = metrics.histogram(
    'foyer_commit_group_size',
    'Transactions that shared one commit.',
    GROUP_SIZE_BUCKETS,
  );
  const admissions = metrics.counter('foyer_queue_admitted_total', 'Places admitted.');
  const endedBy = (reason: string) =>
    metrics.counter('foyer_queue_places_ended_total', 'Places that ended, by reason.', { reason });
  const endedPlaces = {
    DONE: endedBy('done'),
    EXPIRED: endedBy('expired'),
    LEFT: endedBy('left'),
    CLOSED: endedBy('closed'),
  };
  const holds = metrics.counter('foyer_holds_total', 'Holds created.');
  const expiredHolds = metrics.counter('foyer_holds_expired_total', 'Holds that expired unpaid.');
  const payments = metrics.counter('foyer_payments_total', 'Payments.');
  const revenue = metrics.counter(
    'foyer_revenue_total',
    "Sum of all payments, in the currency's minor unit.",
  );
  const mailsBy = (outcome: string) =>
    metrics.counter('foyer_mails_total', 'Attempts to send a mail, by outcome.', { outcome });
  const mails = { sent: mailsBy('sent'), retried: mailsBy('retried'), failed: mailsBy('failed') };

  return {
    metrics,
    recordCommit: (groupSize) => {
      commits.observe(groupSize);
    },
    recordAdmissions: (count) => {
      admissions.inc(count);
    },
    recordEndedPlaces: (status, count) => {
      endedPlaces[status].inc(count);
    },
    recordHold: () => {
      holds.inc();
    },
    recordExpiredHolds: (count) => {
      expiredHolds.inc(count);
    },
    recordPayment: (amount) => {
      payments.inc();
      revenue.inc(amount);
    },
    recordMail: (outcome) => {
      mails[outcome].inc();
    },
    addGauges(totals, streams) {
      metrics.gauge(
        'foyer_queue_waiting',
        'WAITING places in all queues.',
        undefined,
        () => totals().waiting,
      );
      metrics.gauge(
        'foyer_queue_waiting_open',
        'WAITING places in queues that are neither paused nor sold out.',
        undefined,
        () => totals().waitingOpen,
      );
      metrics.gauge('foyer_queue_active', 'ACTIVE places in all queues.', undefined, () => totals().active);
      metrics.gauge('foyer_event_streams', 'Open event streams.', undefined, streams);
    },
    addSeatGauges(loaded) {
      metrics.gauge(
        'foyer_seat_inventories',
        'Dates whose seats are in memory.',
        undefined,
        () => loaded().inventories,
      );
      metrics.gauge(
        'foyer_seat_inventory_seats',
        'Seats in memory, of all dates.',
        undefined,
        () => loaded().seats,
      );
    },
    stop: () => {
      loop.stop();
    },
  };
}
