/** The load: fans and the operator run concurrently against the processes, and every call is logged. */
import { type ApiRequest, type Call, CallLog } from '../call-log.js';
import type { HttpClient } from '../http-client.js';
import { parseProblem, parseResponse } from '../parse-response.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario/scenario.js';
import type { WorkloadContext } from './context.js';
import { Fan } from './fan.js';
import { runHastyFan } from './hasty-fan.js';
import { Operator } from './operator.js';
import { createSalePicker } from './pick-sale.js';
import { SeatMarket } from './seat-market.js';

/** Fans who run into the rate limit on purpose: the last accounts of the scenario. */
export const HASTY_FANS = 2;

/** Problem codes that do not decide the request: it is still in flight, or it was not processed. */
const UNDECIDED_CODES = new Set(['IDEMPOTENCY_KEY_IN_FLIGHT', 'TOO_MANY_REQUESTS']);

export interface Workload {
  readonly log: CallLog;
  /** Runs until `stop`; resolves when everyone knows the outcome of their last request, or has given up. */
  run(): Promise<void>;
  stop(giveUpAtMs: number): void;
}

export function createWorkload(scenario: Scenario, clients: readonly HttpClient[], random: Random): Workload {
  const log = new CallLog();
  let isStopped = false;
  let giveUpAtMs = Infinity;

  async function send(fan: number, processIndex: number, request: ApiRequest): Promise<Call> {
    const client = clients[processIndex];
    if (!client) throw new Error(`There is no process ${processIndex}.`);
    const startMs = Date.now();
    const response = await client.send(request);
    const { status = 0, retryAfter = '' } = response ?? {};
    const call = { fan, processIndex, request, startMs, endMs: Date.now(), status, retryAfter };
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
    scenario,
    processCount: clients.length,
    send,
    pickSale: createSalePicker(scenario.sales),
    seats: new SeatMarket(),
    recentReservations: [],
    recentPayments: [],
    isStopped: () => isStopped,
    giveUpAtMs: () => giveUpAtMs,
  };
  const operator = new Operator(context, random.fork());
  const { accounts } = scenario;
  const [firstSale] = scenario.sales;
  const runFan = (account: Scenario['accounts'][number], index: number): Promise<void> =>
    firstSale && index >= accounts.length - HASTY_FANS
      ? runHastyFan(index, account, firstSale, context, random.fork())
      : new Fan(index, account, context, random.fork()).run();
  return {
    log,
    async run() {
      await Promise.all([operator.run(), ...accounts.map(runFan)]);
    },
    stop(atMs) {
      isStopped = true;
      giveUpAtMs = atMs;
    },
  };
}
