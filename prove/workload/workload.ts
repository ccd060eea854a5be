/** The load: every fan of the sale runs concurrently against the processes, and every call is logged. */
import { type ApiRequest, type Call, CallLog } from '../call-log.js';
import type { HttpClient } from '../http-client.js';
import { parseProblem, parseResponse } from '../parse-response.js';
import type { Random } from '../random.js';
import type { Sale } from '../sale.js';
import type { WorkloadContext } from './context.js';
import { Fan } from './fan.js';

/** Fans of one date choose among only this many seats, so that their requests conflict. */
const CONTENDED_SEATS = 40;

/** Problem codes that do not decide the request: it is still in flight, or it was not processed. */
const UNDECIDED_CODES = new Set(['IDEMPOTENCY_KEY_IN_FLIGHT', 'TOO_MANY_REQUESTS']);

export interface Workload {
  readonly log: CallLog;
  /** Runs until `stop`; resolves when every fan knows the outcome of their last request, or has given up. */
  run(): Promise<void>;
  stop(giveUpAtMs: number): void;
}

export function createWorkload(sale: Sale, clients: readonly HttpClient[], random: Random): Workload {
  const log = new CallLog();
  const soldSeats = sale.dates.map(() => 0);
  let isStopped = false;
  let giveUpAtMs = Infinity;

  async function send(fan: number, processIndex: number, request: ApiRequest): Promise<Call> {
    const client = clients[processIndex];
    if (!client) throw new Error(`There is no process ${processIndex}.`);
    const startMs = Date.now();
    const response = await client.send(request);
    const status = response?.status ?? 0;
    const call = { fan, processIndex, request, startMs, endMs: Date.now(), status };
    const noDetails = { code: '', reason: '', responseText: '', observed: {} };
    if (!response || status >= 500) return log.add({ ...call, ...noDetails, outcome: 'unknown' });
    const isRepeatable = request.key !== undefined || request.operation === 'receipt';
    const responseText = isRepeatable ? response.text : '';
    if (status >= 400) {
      const problem = parseProblem(response.text);
      const outcome = UNDECIDED_CODES.has(problem.code) ? 'unknown' : 'refused';
      return log.add({ ...call, ...problem, outcome, responseText });
    }
    const observed = parseResponse(request.operation, response.text);
    return log.add({ ...call, ...noDetails, outcome: 'ok', responseText, observed });
  }

  const context: WorkloadContext = {
    sale,
    processCount: clients.length,
    send,
    contendedSeats(date) {
      const { seatIds = [] } = sale.dates[date] ?? {};
      const first = Math.max(0, Math.min(soldSeats[date] ?? 0, seatIds.length - CONTENDED_SEATS));
      return seatIds.slice(first, first + CONTENDED_SEATS);
    },
    recordSale(date, seats) {
      soldSeats[date] = (soldSeats[date] ?? 0) + seats;
    },
    recentReservations: [],
    isStopped: () => isStopped,
    giveUpAtMs: () => giveUpAtMs,
  };
  const fans = sale.accounts.map((account, index) => new Fan(index, account, context, random.fork()));
  return {
    log,
    async run() {
      await Promise.all(fans.map((fan) => fan.run()));
    },
    stop(atMs) {
      isStopped = true;
      giveUpAtMs = atMs;
    },
  };
}
