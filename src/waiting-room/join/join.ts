import type { ConcertCache } from '../../catalog/index.js';
import { assertDefined } from '../../kernel/assert.js';
import { OutcomeUnknown, type Sql, StoreUnavailable } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import { createJoinTogether } from './join-together.js';
import type { Joined } from './join-within.js';
import type { QueueTokens } from '../places/queue-tokens.js';
import type { Queues } from '../projection/queues.js';

/** Joins taken by one transaction. */
const JOIN_BATCH_MAX = 256;
/** Of more than so many a database that works beside this process gets one half, while the other is served here. */
const JOIN_BATCH_WHOLE = 32;

/** The store did not serve at all; what happened to a commit is another question. */
const isGone = (error: unknown): boolean =>
  error instanceof StoreUnavailable && !(error instanceof OutcomeUnknown);

interface Joining {
  readonly userId: string;
  readonly resolve: (joined: Joined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joining takes the next number. Joins that arrive together share one transaction and take consecutive numbers: a rush
 * of thousands a second costs a few hundred transactions.
 */
export function createJoin(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly concertCache: ConcertCache;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}): (userId: string, concertId: string) => Promise<Joined> {
  const { sql, queues, concertCache } = deps;
  const joinTogether = createJoinTogether(deps);
  const arriving = new Map<string, Joining[]>();

  async function takeBatch(concertId: string): Promise<void> {
    let batch: readonly Joining[] | undefined;
    try {
      const concert = await concertCache.concert(concertId);
      const view = queues.of(concertId);
      // Taken once: a retry serves the same batch.
      const takeUserIds = (): readonly string[] =>
        (batch ??= takeArrived(concertId)).map(({ userId }) => userId);
      const results = await joinTogether(view, takeUserIds, concert);
      batch?.forEach(({ resolve, reject }, index) => {
        const result = assertDefined(results[index], 'a join without a result');
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch ?? []) reject(error);
      // Where the line is not to be had, nobody who has come by now waits as long once more.
      if (batch === undefined || isGone(error)) for (const { reject } of takeAll(concertId)) reject(error);
    }
  }

  const batchOf = (arrived: number): number => {
    const wanted = sql.isClustered ? Math.max(JOIN_BATCH_WHOLE, Math.ceil(arrived / 2)) : arrived;
    return Math.min(JOIN_BATCH_MAX, wanted);
  };

  function takeAll(concertId: string): Joining[] {
    const all = arriving.get(concertId) ?? [];
    arriving.delete(concertId);
    return all;
  }

  function takeArrived(concertId: string): Joining[] {
    const all = takeAll(concertId);
    const rest = all.splice(batchOf(all.length));
    if (rest.length > 0) {
      arriving.set(concertId, rest);
      void takeBatch(concertId);
    }
    return all;
  }

  return async (userId, concertId) => {
    await concertCache.concert(concertId);
    return new Promise<Joined>((resolve, reject) => {
      const joining = { userId, resolve, reject };
      const others = arriving.get(concertId);
      if (others) {
        others.push(joining);
      } else {
        arriving.set(concertId, [joining]);
        void takeBatch(concertId);
      }
    });
  };
}
