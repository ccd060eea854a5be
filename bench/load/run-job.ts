import { Histogram } from '../histogram.js';
import { openSocket } from './connection.js';
import type { Job, Outcome } from './job.js';
import { type Steps, type Visited, Visitor, type VisitorEvents } from './visitor.js';

/** After its time a job waits so long for the last answers; a server that is silent for longer has failed the case. */
const LAST_ANSWERS_MS = 30_000;
const TICK_MS = 1;
/** Sockets opened at once: more would overflow the backlog of a server that is busy. */
const OPENING_MAX = 100;

/** Fixed requests become bytes beforehand; those with something to fill in stay text. */
const encode = (visit: readonly string[]): Steps =>
  visit.map((request) => (request.includes('{{') ? request : Buffer.from(request)));

export async function runJob(job: Job): Promise<Outcome> {
  const visits = job.visits.map(encode);
  const limit = job.once ? visits.length : Infinity;
  const latency = new Histogram();
  const statuses: Record<string, number> = {};
  const captured: { visit: number; text: string }[] = [];
  const visitors: Visitor[] = [];
  const free: Visitor[] = [];
  let [begun, done, answers, bodyBytes, wireBytes] = [0, 0, 0, 0, 0];
  let [startedMs, endedMs, isOver] = [0, 0, false];
  let fault: string | undefined;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));

  const isComplete = (): boolean => done === begun && (isOver || begun >= limit);

  function fail(why: string): void {
    fault ??= why;
    finish();
  }

  const events: VisitorEvents = {
    answered({ status, ...bytes }) {
      answers += 1;
      bodyBytes += bytes.bodyBytes;
      wireBytes += bytes.wireBytes;
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    captured: (visit, text) => captured.push({ visit, text }),
    done(visitor, { sinceMs }: Visited) {
      endedMs = performance.now();
      latency.add(endedMs - sinceMs);
      done += 1;
      if (fault !== undefined) return;
      if (job.pace === undefined && !isOver && begun < limit) visitor.begin(begun++, endedMs);
      else free.push(visitor);
      if (isComplete()) finish();
    },
    fault: fail,
  };

  for (let opened = 0; opened < job.connections; opened += OPENING_MAX) {
    const count = Math.min(OPENING_MAX, job.connections - opened);
    const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(job.port)));
    for (const socket of sockets) visitors.push(new Visitor(socket, job, visits, events));
  }
  const cpuBefore = process.cpuUsage();
  startedMs = performance.now();
  const timers = [
    setTimeout(() => {
      isOver = true;
      if (isComplete()) finish();
    }, job.seconds * 1000),
    setTimeout(fail, job.seconds * 1000 + LAST_ANSWERS_MS, 'answers are missing'),
  ];
  if (job.pace === undefined) {
    for (const visitor of visitors) if (begun < limit) visitor.begin(begun++, startedMs);
  } else {
    free.push(...visitors);
    timers.push(keepPace(job.pace, startedMs, beginDue));
  }
  await finished;
  timers.forEach(clearTimeout);
  for (const visitor of visitors) visitor.leave();
  const seconds = (endedMs - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const loadShare = (user + system) / 1e6 / Math.max(seconds, Number.EPSILON);
  const each = { bodyBytes: bodyBytes / Math.max(1, answers), wireBytes: wireBytes / Math.max(1, answers) };
  const outcome = { visits: done, seconds, statuses, ...each, loadShare, latency: latency.counts, captured };
  return fault === undefined ? outcome : { ...outcome, fault };

  /** Whoever was due and found no free connection begins later; the wait counts, as it would for a fan. */
  function beginDue(dueCount: number, dueMs: (visit: number) => number): void {
    while (!isOver && begun < Math.min(dueCount, limit)) {
      const visitor = free.pop();
      if (!visitor) return;
      visitor.begin(begun, dueMs(begun));
      begun += 1;
    }
  }
}

/** Calls every millisecond with how many are due by now. The timetable is in whole ticks, and never waits for answers. */
function keepPace(
  perSecond: number,
  startedMs: number,
  beginDue: (dueCount: number, dueMs: (visit: number) => number) => void,
): NodeJS.Timeout {
  const perTick = (perSecond * TICK_MS) / 1000;
  const dueMs = (visit: number): number => startedMs + Math.ceil((visit + 1) / perTick) * TICK_MS;
  return setInterval(() => {
    const ticks = Math.floor((performance.now() - startedMs) / TICK_MS);
    beginDue(Math.floor(ticks * perTick), dueMs);
  }, TICK_MS);
}
