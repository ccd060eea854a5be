import { type Concert, type ConcertCache, saleState } from '../../catalog/index.js';
import type { AccessCaller, Place } from '../../kernel/caller.js';
import { guard } from '../../kernel/guard.js';
import { Refusal } from '../../kernel/refusal.js';
import { SECOND_MS } from '../../kernel/time.js';
import { createBatcher } from '../../platform/batch/index.js';
import { OutcomeUnknown, type Sql, StoreUnavailable } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { PlaceEvents } from '../admission/expire-places.js';
import type { PlaceView, QueueToken } from '../places/queue-token-view.js';
import type { QueueTokens } from '../places/queue-tokens.js';
import type { Queues } from '../projection/queues.js';
import { createJoinTransactions, type Found, type FoundPlace } from './join-transactions.js';

export interface Joined {
  readonly queueToken: QueueToken;
  /** False when the user already had a live place. */
  readonly isNew: boolean;
}

/** A live place, before it gets a token. */
interface JoinedPlace {
  readonly place: Place;
  readonly view: PlaceView;
  readonly isNew: boolean;
}

/** The result of each decided user. Users without an entry are undecided. */
type Outcomes = Map<string, JoinedPlace | Error>;

const JOIN_BATCH_MAX = 256;
/** On PostgreSQL a larger batch is split in half: the database works on one half while this process answers the other. */
const JOIN_BATCH_SPLIT = 32;
const ATTEMPTS_MAX = 5;

/**
 * Joining: a user gets the next number of a concert's queue, or the live place they already have.
 *
 * Joins of one concert run in batches. Each user of a batch starts undecided and ends with a place or a refusal:
 *
 * 1. Append. While no slot is free, one pipelined transaction appends every user who may join. New places are decided.
 * 2. Look up and admit. A second transaction decides the rest: it finds live places, refuses, appends, and admits into
 *    free slots. If a slot is free at the start, step 1 is skipped.
 * 3. Retry. A user whose live place ends between two statements, or whose commit has an unknown outcome, stays undecided
 *    and goes through step 2 again. The unique live place makes that safe.
 *
 * Invariants: numbers have no gap and follow the order of commits (the queue's row lock); a user has one live place per
 * concert (a unique index); an error decides only users who are still undecided.
 */
export function createJoin(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly concertCache: ConcertCache;
  readonly admission: Admission;
  readonly events: Pick<PlaceEvents, 'ended'>;
  readonly tokens: QueueTokens;
  /** How long ended places are remembered: the last date ends every place. */
  readonly endedRetentionMs: number;
  readonly viewPlace: (place: Place) => PlaceView | Promise<PlaceView>;
}): (caller: Pick<AccessCaller, 'userId' | 'credentialVersion'>, concertId: string) => Promise<Joined> {
  const { sql, queues, concertCache, tokens, endedRetentionMs, viewPlace } = deps;
  const transactions = createJoinTransactions(deps);

  const join = createBatcher<string, JoinedPlace>({
    run: joinBatch,
    batchSize: (waiting) =>
      Math.min(
        JOIN_BATCH_MAX,
        sql.isClustered ? Math.max(JOIN_BATCH_SPLIT, Math.ceil(waiting / 2)) : waiting,
      ),
    concurrentMax: 1,
    // The store is unavailable: fail the waiting calls now, instead of letting each one time out again.
    failsEveryCall: (error) => error instanceof StoreUnavailable && !(error instanceof OutcomeUnknown),
  });

  return async ({ userId, credentialVersion }, concertId) => {
    const { lastStartsAtMs } = await concertCache.publishedConcert(concertId);
    const { place, view, isNew } = await join(concertId, userId);
    // Signed for this call, not for the batch: a session that is being revoked must not get the token of a newer one.
    const token = tokens.issue(place, credentialVersion, lastStartsAtMs + endedRetentionMs);
    return { queueToken: { token, ...view }, isNew };
  };

  async function joinBatch(concertId: string, userIds: readonly string[]): Promise<(JoinedPlace | Error)[]> {
    const concert = await concertCache.concert(concertId);
    const outcomes: Outcomes = new Map();
    const undecided = (): string[] => [...new Set(userIds)].filter((userId) => !outcomes.has(userId));
    try {
      await decideAll(concert, undecided, outcomes);
    } catch (error) {
      if (outcomes.size === 0 || !(error instanceof Error)) throw error;
      for (const userId of undecided()) outcomes.set(userId, error);
    }
    const answered = new Set<string>();
    return userIds.map((userId) => {
      const outcome = outcomes.get(userId) ?? refuseUndecided(concert);
      // Of two calls of one user in a batch, only the first gets 201.
      const isRepeated = answered.has(userId);
      answered.add(userId);
      return isRepeated && !(outcome instanceof Error) ? { ...outcome, isNew: false } : outcome;
    });
  }

  /** After all attempts: the sale has just closed by the database's clock, or the place of the user ended each time. */
  function refuseUndecided(concert: Concert): Refusal {
    const isClosing = saleState(concert, sql.nowMs() + SECOND_MS) === 'CLOSED';
    return new Refusal(isClosing ? 'SALES_CLOSED' : 'UNAVAILABLE');
  }

  async function decideAll(concert: Concert, undecided: () => string[], outcomes: Outcomes): Promise<void> {
    const decide = async (transaction: typeof transactions.append): Promise<void> => {
      const userIds = undecided();
      const found = await sql.transaction((tx) => transaction(tx, concert, userIds), {
        mutexKey: concert.id,
      });
      await decideLive(concert.id, found, outcomes);
    };
    const nowMs = sql.nowMs();
    if (saleState(concert, nowMs) === 'OPEN' && !queues.of(concert.id).hasFreeSlot(nowMs))
      await decide(transactions.append).catch(throwUnlessUnknown);
    const attemptsMax = guard('join-retry', ATTEMPTS_MAX);
    for (let attempt = 1; attempt < attemptsMax && undecided().length > 0; attempt += 1)
      await decide(transactions.lookUpAndAdmit).catch(throwUnlessUnknown);
    if (undecided().length > 0) await decide(transactions.lookUpAndAdmit);
  }

  /** Records what a transaction found, except places that have ended since. */
  async function decideLive(concertId: string, found: Found, outcomes: Outcomes): Promise<void> {
    const isKnown = (each: FoundPlace | Refusal): boolean =>
      each instanceof Refusal || each.place.number <= queues.of(concertId).lastNumber;
    // The projection must know a place before it is answered; the change feed may be late.
    if (![...found.values()].every(isKnown)) await sql.waitForChanges();
    for (const [userId, each] of found) {
      const outcome = each instanceof Refusal ? each : viewLive(each);
      if (outcome) outcomes.set(userId, outcome);
    }
  }

  /** Checks and views the place synchronously, so that the response cannot show a place that has ended in between. */
  function viewLive({ place, isNew }: FoundPlace): JoinedPlace | undefined {
    const { status } = queues.of(place.concertId).stateOf(place.placeId, place.number, sql.nowMs());
    if (status !== 'WAITING' && status !== 'ACTIVE') return undefined;
    const view = viewPlace(place);
    return view instanceof Promise ? undefined : { place, view, isNew };
  }
}

/** An unknown outcome leaves the users undecided: the next attempt finds the places that were committed. */
function throwUnlessUnknown(error: unknown): void {
  if (!(error instanceof OutcomeUnknown)) throw error;
}
