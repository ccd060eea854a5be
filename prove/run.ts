/**
 * One run of the prover: deploys Foyer, runs the workload, injects faults meanwhile, lets everything settle without
 * faults, and checks the evidence against the invariants.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLE_MAX_MS } from './check/durability.js';
import { groupBy } from './check/evidence.js';
import { checkInvariants, type Evidence, readFinalState, type Verdict } from './check/index.js';
import { createCluster } from './deployment/cluster.js';
import type { Deployment, Mode } from './deployment/deployment.js';
import { createEmbedded } from './deployment/embedded.js';
import type { StartServer } from './deployment/foyer-process.js';
import { type Fault, faultsOf, type InjectedFault, injectFaultsUntil } from './faults/index.js';
import { Random } from './random.js';
import { planSales } from './scenario/sale-plans.js';
import { createScenario } from './scenario/scenario.js';
import { createWorkload, HASTY_FANS } from './workload/workload.js';

/** In a cluster, each process estimates the database's clock over a connection that faults slow down. */
const CLOCK_TOLERANCE_MS: Readonly<Record<Mode, number>> = { embedded: 20, cluster: 300 };
/** How long the workload continues after the last fault, so that admissions can be observed. */
const FAULT_FREE_MS = 5000;
const TOO_MANY_REQUESTS = 429;
const PROGRESS_EVERY_MS = 5000;
const MINUTE_MS = 60_000;

export interface Plan {
  readonly mode: Mode;
  readonly seed: number;
  readonly minutes: number;
  readonly fans: number;
  /** Names of the faults to inject; undefined means all that this machine can inject. */
  readonly faults: readonly string[] | undefined;
  readonly start: StartServer;
  /** SQL that removes something from the schema after the migration. */
  readonly drop?: string;
  readonly log: (text: string) => void;
  /** How many rounds of short sales there are; by default as many as there is time for. */
  readonly rounds?: number;
  /** Called every few seconds while the workload runs. */
  readonly onProgress?: (deployment: Deployment) => void;
}

export interface Proof {
  readonly verdicts: readonly Verdict[];
  /** What the verdicts are based on. */
  readonly evidence: Evidence;
  readonly faults: readonly InjectedFault[];
  readonly calls: number;
  readonly unknownCalls: number;
  readonly seconds: number;
  /** Resident memory of all processes, sampled every few seconds. */
  readonly residentBytes: readonly number[];
}

export async function prove(plan: Plan): Promise<Proof> {
  const deployment = await (plan.mode === 'embedded' ? createEmbedded : createCluster)(plan.start);
  try {
    await Promise.all(deployment.processes.map((process) => process.start()));
    if (plan.drop !== undefined) await deployment.tables.run(plan.drop);
    return await proveDeployment(deployment, plan);
  } finally {
    await deployment.close();
  }
}

function selectFaults(deployment: Deployment, { mode, faults, log }: Plan): Fault[] {
  const all = faultsOf(mode);
  const names = faults ?? all.map(({ name }) => name);
  const unknown = names.filter((name) => !all.some((fault) => fault.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no fault ${unknown.join(', ')} in this mode. There are: ${all.map(({ name }) => name).join(', ')}.`,
    );
  return all.filter((fault) => {
    if (!names.includes(fault.name)) return false;
    const unavailable = fault.unavailableReason?.(deployment);
    if (unavailable !== undefined) log(`SKIPPED: ${fault.name}: ${unavailable}`);
    return unavailable === undefined;
  });
}

async function proveDeployment(deployment: Deployment, plan: Plan): Promise<Proof> {
  const { mode, seed, minutes, fans, log } = plan;
  const random = new Random(seed);
  const faults = selectFaults(deployment, plan);
  const plans = planSales(minutes, random, plan.rounds);
  const scenario = await createScenario(deployment, random, { plans, fans: fans + HASTY_FANS });
  const workload = createWorkload(scenario, deployment.clients, random);
  const { calls } = workload.log;
  const startedAtMs = Date.now();
  const residentBytes: number[] = [];
  const countUnknown = (): number =>
    calls.filter(({ outcome, status }) => outcome === 'unknown' && status !== TOO_MANY_REQUESTS).length;

  const workloadDone = workload.run();
  // A failure is reported where it is awaited below; this only prevents an unhandled rejection until then.
  workloadDone.catch(() => undefined);
  const progress = setInterval(() => {
    const bytes = deployment.processes.reduce((sum, process) => sum + (process.residentBytes() ?? 0), 0);
    residentBytes.push(bytes);
    plan.onProgress?.(deployment);
    const seconds = Math.round((Date.now() - startedAtMs) / 1000);
    const megabytes = Math.round(bytes / 2 ** 20);
    log(`${seconds} s: ${calls.length} calls, ${countUnknown()} with unknown outcome; ${megabytes} MB`);
  }, PROGRESS_EVERY_MS);

  try {
    const isTimeUp = (): boolean => Date.now() - startedAtMs >= minutes * MINUTE_MS;
    const logFault = ({ fault, detail }: InjectedFault): void => {
      log(`${fault}: ${detail}`);
    };
    const injected = await injectFaultsUntil(deployment, faults, random.fork(), isTimeUp, logFault);
    while (!isTimeUp()) await sleep(100);
    const faultsEndedAtMs = Date.now();
    await sleep(FAULT_FREE_MS);
    workload.stop(faultsEndedAtMs + SETTLE_MAX_MS);
    await workloadDone;
    const evidence: Evidence = {
      scenario,
      calls,
      byKey: groupBy(calls, ({ request }) => request.key),
      state: await readFinalState(deployment),
      clockToleranceMs: CLOCK_TOLERANCE_MS[mode],
      faults: injected,
      faultsEndedAtMs,
      settledAtMs: Date.now(),
    };
    return {
      verdicts: checkInvariants(evidence),
      evidence,
      faults: injected,
      calls: calls.length,
      unknownCalls: countUnknown(),
      seconds: (Date.now() - startedAtMs) / 1000,
      residentBytes,
    };
  } finally {
    clearInterval(progress);
    workload.stop(0);
    await workloadDone.catch(() => undefined);
  }
}
