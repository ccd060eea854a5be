import type { Programme } from '../catalog/index.js';
import { present } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import { OutcomeUnknown, type Sql, StoreUnavailable } from '../platform/sql/index.js';
import type { Admission } from './admit.js';
import { createJoinTogether, type Joined } from './join-together.js';
import type { QueueTokens } from './queue-tokens.js';
import type { Rooms } from './rooms.js';

/** Joins taken by one transaction. */
const JOIN_BATCH_MAX = 256;

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
  readonly rooms: Rooms;
  readonly programme: Programme;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}): (userId: string, concertId: string) => Promise<Joined> {
  const { sql, rooms, programme } = deps;
  const joinTogether = createJoinTogether(deps);
  const arriving = new Map<string, Joining[]>();

  async function takeBatch(concertId: string): Promise<void> {
    let batch: readonly Joining[] | undefined;
    try {
      const concert = await programme.concert(concertId);
      const view = rooms.of(concertId);
      const results = await sql.transaction((tx) => {
        // Taken once, when the transaction begins: until then everybody still gets on. A retry serves the same batch.
        batch ??= takeArrived(concertId);
        const userIds = batch.map(({ userId }) => userId);
        return userIds.length === 0 ? Promise.resolve([]) : joinTogether(tx, view, userIds, concert);
      }, concertId);
      // A place that was found may have been given by another process, after this one last heard of it.
      await sql.caughtUp();
      batch?.forEach(({ resolve, reject }, index) => {
        const result = present(results[index], 'a join without a result');
        if (result instanceof Refusal) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch ?? []) reject(error);
      // Where the line is not to be had, nobody who has come by now waits as long once more.
      if (batch === undefined || isGone(error)) for (const { reject } of takeAll(concertId)) reject(error);
    }
  }

  function takeAll(concertId: string): Joining[] {
    const all = arriving.get(concertId) ?? [];
    arriving.delete(concertId);
    return all;
  }

  function takeArrived(concertId: string): Joining[] {
    const all = takeAll(concertId);
    const rest = all.splice(JOIN_BATCH_MAX);
    if (rest.length > 0) {
      arriving.set(concertId, rest);
      void takeBatch(concertId);
    }
    return all;
  }

  return async (userId, concertId) => {
    await programme.concert(concertId);
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
