import { setTimeout as sleep } from 'node:timers/promises';
import type { FanAccount, Sale } from '../scenario/scenario.js';
import type { Random } from '../random.js';
import { Caller } from './caller.js';
import type { WorkloadContext } from './context.js';
import { joinRequest } from './requests.js';

const BETWEEN_JOINS_MS = 30;

/** A fan who presses "join" so often that the rate limit refuses, waits as told, and presses again. */
export async function runHastyFan(
  index: number,
  account: FanAccount,
  sale: Sale,
  context: WorkloadContext,
  random: Random,
): Promise<void> {
  const caller = new Caller(index, context, random);
  while (!context.isStopped()) {
    await caller.sendUntilKnown(joinRequest(sale, account));
    await sleep(BETWEEN_JOINS_MS);
  }
}
