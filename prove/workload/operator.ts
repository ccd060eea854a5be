import { OPERATOR_INDEX } from '../call-log.js';
import type { Random } from '../random.js';
import type { Policy, Sale } from '../scenario/scenario.js';
import { Caller } from './caller.js';
import type { RecentPayment, WorkloadContext } from './context.js';

const EDIT_EVERY_MIN_MS = 700;
const EDIT_EVERY_MAX_MS = 2500;
const REFUND_EVERY_MIN_MS = 200;
const REFUND_EVERY_MAX_MS = 900;
/** How long a sale is sold out before a refund frees seats, at least. */
const SOLD_OUT_MIN_MS = 4000;
const END_AFTER_MIN_MS = 4000;
const END_AFTER_MAX_MS = 6000;
const BETWEEN_ENDS_MIN_MS = 2000;
const BETWEEN_ENDS_MAX_MS = 4000;
const HOUR_MS = 3_600_000;

/** Never more than one edit of a policy at a time, so each applies to the result of the one before. */
const POLICY_EDITS: readonly Partial<Policy>[] = [
  { maxActive: 2 },
  { maxActive: 5 },
  { maxActive: 12 },
  { paused: true },
  { admitCount: 2, admitEverySeconds: 2 },
  { admitCount: 4, admitEverySeconds: 1 },
  { admitCount: null, admitEverySeconds: null },
];

/** The promoter: edits a policy, ends and reopens sales, and refunds payments, while fans are buying. */
export class Operator {
  readonly #context: WorkloadContext;
  readonly #random: Random;
  readonly #caller: Caller;

  constructor(context: WorkloadContext, random: Random) {
    this.#context = context;
    this.#random = random;
    this.#caller = new Caller(OPERATOR_INDEX, context, random);
  }

  async run(): Promise<void> {
    const { sales } = this.#context.scenario;
    const ofKind = (kind: Sale['kind']): Sale[] => sales.filter((sale) => sale.kind === kind);
    await Promise.all([
      ...ofKind('edited').map((sale) => this.#editPolicies(sale)),
      ...ofKind('ended').map((sale) => this.#endAndReopen(sale)),
      this.#refundPayments(),
    ]);
  }

  async #editPolicies(sale: Sale): Promise<void> {
    let isPaused = false;
    for (;;) {
      await this.#caller.waitMs(this.#random.between(EDIT_EVERY_MIN_MS, EDIT_EVERY_MAX_MS));
      if (this.#context.isStopped()) return;
      const patch: Partial<Policy> = isPaused ? { paused: false } : this.#random.pick(POLICY_EDITS);
      isPaused = patch.paused ?? isPaused;
      await this.#caller.sendUntilKnown({
        operation: 'edit-policy',
        method: 'PATCH',
        path: `/operator/concerts/${sale.concertId}/waiting-room`,
        token: this.#context.scenario.operatorToken,
        concertId: sale.concertId,
        body: patch,
      });
    }
  }

  async #endAndReopen(sale: Sale): Promise<void> {
    const opensInMs = (sale.opensAtMs ?? Date.now()) - Date.now();
    await this.#caller.waitMs(opensInMs + this.#random.between(END_AFTER_MIN_MS, END_AFTER_MAX_MS));
    for (const [index, closesInMs] of [0, HOUR_MS, 0].entries()) {
      if (index > 0)
        await this.#caller.waitMs(this.#random.between(BETWEEN_ENDS_MIN_MS, BETWEEN_ENDS_MAX_MS));
      if (this.#context.isStopped()) return;
      await this.#caller.sendUntilKnown({
        operation: 'edit-sale',
        method: 'PATCH',
        path: `/operator/concerts/${sale.concertId}`,
        token: this.#context.scenario.operatorToken,
        concertId: sale.concertId,
        body: { salesCloseAt: new Date(Date.now() + closesInMs).toISOString() },
      });
    }
  }

  async #refundPayments(): Promise<void> {
    const { recentPayments } = this.#context;
    for (;;) {
      await this.#caller.waitMs(this.#random.between(REFUND_EVERY_MIN_MS, REFUND_EVERY_MAX_MS));
      if (this.#context.isStopped()) return;
      const payment = recentPayments[this.#random.below(recentPayments.length)];
      if (!payment || !this.#mayRefund(payment)) continue;
      recentPayments.splice(recentPayments.indexOf(payment), 1);
      await this.#refund(payment);
    }
  }

  /** A sale that is nearly sold out must sell out first. */
  #mayRefund({ sale }: RecentPayment): boolean {
    return sale.kind !== 'sold-out' || this.#context.seats.soldOutAtMs(sale) + SOLD_OUT_MIN_MS < Date.now();
  }

  /** Sometimes twice concurrently, with two keys. */
  async #refund({ paymentId, sale, date, seats }: RecentPayment): Promise<void> {
    const send = (): Promise<unknown> =>
      this.#caller.sendUntilKnown({
        operation: 'refund',
        method: 'POST',
        path: `/operator/payments/${paymentId}/refund`,
        token: this.#context.scenario.operatorToken,
        concertId: sale.concertId,
        body: {},
        key: this.#random.id(),
        subjectIds: [paymentId],
      });
    await Promise.all(this.#random.chance(0.3) ? [send(), send()] : [send()]);
    this.#context.seats.recordSold(sale, date, -seats);
  }
}
