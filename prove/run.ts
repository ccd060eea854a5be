import { setTimeout as sleep } from 'node:timers/promises';
import { type Evidence, judge, readState, type Verdict } from './check/index.js';
import { groupBy } from './check/evidence.js';
import { gather } from './fans/crowd.js';
import { type Fault, faultsOf, type Strike, strikeUntil } from './faults/index.js';
import { Random } from './random.js';
import { openSale } from './sale.js';
import { openCluster } from './world/cluster.js';
import { openEmbedded } from './world/embedded.js';
import type { Start } from './world/process.js';
import type { Mode, World } from './world/world.js';

/** How far the clocks may be apart: processes that share a database each know its time only so well. */
const SLACK_MS: Readonly<Record<Mode, number>> = { embedded: 20, cluster: 300 };
/** Nothing goes wrong any more, and the sale goes on: the line must move. */
const CALM_MS = 3000;
const SETTLE_MAX_MS = 30_000;
const PROGRESS_EVERY_MS = 5000;
const MINUTE_MS = 60_000;

export interface Plan {
  readonly mode: Mode;
  readonly seed: number;
  readonly minutes: number;
  readonly fans: number;
  /** Their names; all that this machine can have when undefined. */
  readonly faults: readonly string[] | undefined;
  readonly start: Start;
  /** Takes something away from the database, once the schema is there. */
  readonly drop?: string;
  readonly say: (text: string) => void;
}

export interface Proof {
  readonly verdicts: readonly Verdict[];
  /** What they were found from. */
  readonly evidence: Evidence;
  readonly strikes: readonly Strike[];
  readonly calls: number;
  readonly unknown: number;
  readonly seconds: number;
  /** Of the processes together, at the beginning and at the end. */
  readonly residentBytes: readonly number[];
}

export async function prove(plan: Plan): Promise<Proof> {
  const world = await (plan.mode === 'embedded' ? openEmbedded : openCluster)(plan.start);
  try {
    await Promise.all(world.processes.map((process) => process.start()));
    if (plan.drop !== undefined) await world.tables.run(plan.drop);
    return await proveIn(world, plan);
  } finally {
    await world.close();
  }
}

function chosen(world: World, { mode, faults, say }: Plan): Fault[] {
  const all = faultsOf(mode);
  const names = faults ?? all.map(({ name }) => name);
  const unknown = names.filter((name) => !all.some((fault) => fault.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no fault ${unknown.join(', ')} in this mode. There are: ${all.map(({ name }) => name).join(', ')}.`,
    );
  return all.filter((fault) => {
    if (!names.includes(fault.name)) return false;
    const missing = fault.missing?.(world);
    if (missing !== undefined) say(`LEFT OUT: ${fault.name}: ${missing}`);
    return missing === undefined;
  });
}

async function proveIn(world: World, plan: Plan): Promise<Proof> {
  const { seed, minutes, fans, say } = plan;
  const random = new Random(seed);
  const faults = chosen(world, plan);
  const sale = await openSale(world, random, { fans, minutes });
  const crowd = gather(sale, world.doors, random);
  const { calls } = crowd.record;
  const startedAtMs = Date.now();
  const resident: number[] = [];
  const residentNow = (): number =>
    world.processes.reduce((sum, process) => sum + (process.residentBytes() ?? 0), 0);

  const living = crowd.live();
  // Heard of when it is awaited.
  living.catch(() => undefined);
  const progress = setInterval(() => {
    resident.push(residentNow());
    const unknown = calls.filter(({ outcome }) => outcome === 'unknown').length;
    const seconds = Math.round((Date.now() - startedAtMs) / 1000);
    const megabytes = Math.round((resident.at(-1) ?? 0) / 2 ** 20);
    say(`${seconds} s: ${calls.length} calls, ${unknown} without an answer; ${megabytes} MB`);
  }, PROGRESS_EVERY_MS);

  const evidenceAt = async (healedAtMs: number): Promise<Evidence> => ({
    sale,
    calls,
    byKey: groupBy(calls, ({ wish }) => wish.key),
    state: await readState(world),
    slackMs: SLACK_MS[plan.mode],
    healedAtMs,
    settledAtMs: Date.now(),
  });

  try {
    const isOver = (): boolean => Date.now() - startedAtMs >= minutes * MINUTE_MS;
    const strikes = await strikeUntil(world, faults, random.fork(), isOver, ({ fault, did }) => {
      say(`${fault}: ${did}`);
    });
    while (!isOver()) await sleep(100);
    const healedAtMs = Date.now();
    await sleep(CALM_MS);
    crowd.stop(healedAtMs + SETTLE_MAX_MS);
    await living;
    const evidence = await evidenceAt(healedAtMs);
    return {
      verdicts: judge(evidence),
      evidence,
      strikes,
      calls: calls.length,
      unknown: calls.filter(({ outcome }) => outcome === 'unknown').length,
      seconds: (Date.now() - startedAtMs) / 1000,
      residentBytes: resident,
    };
  } finally {
    clearInterval(progress);
    crowd.stop(0);
    await living.catch(() => undefined);
  }
}
