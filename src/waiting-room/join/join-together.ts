import { saleState } from '../../catalog/index.js';
import { assertDefined } from '../../kernel/assert.js';
import type { PlaceClaim } from '../../kernel/caller.js';
import { OutcomeUnknown, type Sql } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import { createJoinWithin, type Joined, type Outcomes, type Sale } from './join-within.js';
import { lineUp } from './line-up.js';
import type { NewPlace } from '../queries.js';
import type { QueueTokens } from '../places/queue-tokens.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

const unique = (userIds: readonly string[]): string[] => [...new Set(userIds)];

/** A batch of joins: consecutive numbers for those who have no live place yet. */
export function createJoinTogether(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}) {
  const { sql, queues, tokens } = deps;

  const claimOf = ({ id, userId, number, joinedAtMs }: NewPlace, concertId: string): PlaceClaim =>
    tokens.issue({ userId, concertId, placeId: id, number, joinedAtMs });

  const joinWithin = createJoinWithin({ ...deps, claimOf });

  /**
   * Answers for each user, in order: their place, or why there is none. Who they are is asked when a transaction begins:
   * until then everybody still gets on.
   */
  return async (
    view: QueueProjection,
    userIds: () => readonly string[],
    sale: Sale,
  ): Promise<(Joined | Error)[]> => {
    const nowMs = sql.nowMs();
    const canOnlyWait = saleState(sale, nowMs) === 'OPEN' && !view.hasFreeSlot(nowMs);
    const outcomes = canOnlyWait ? await wait(view, userIds, sale) : new Map<string, never>();
    if (!canOnlyWait || userIds().some((userId) => !outcomes.has(userId))) {
      await joinOthers(view, userIds, sale, outcomes);
    }
    const told = new Set<string>();
    return userIds().map((userId) => {
      const outcome = assertDefined(outcomes.get(userId), 'a join without an outcome');
      // Who asks twice at once has joined once.
      const isAgain = told.has(userId);
      told.add(userId);
      return isAgain && 'claim' in outcome ? { ...outcome, isNew: false } : outcome;
    });
  };

  /**
   * Those who are new, where they could only wait: everything is said in one go, and the line is locked no longer than the
   * database itself needs, whatever happens to this process meanwhile.
   */
  async function wait(
    view: QueueProjection,
    userIds: () => readonly string[],
    sale: Sale,
  ): Promise<Outcomes> {
    const { concertId } = view;
    try {
      const { places } = await sql.transaction((tx) => {
        const users = unique(userIds());
        // All of them may have been told meanwhile that the line is not to be had.
        if (users.length === 0) return Promise.resolve({ queue: undefined, places: [] });
        return lineUp(tx, concertId, users, sql.nowMs(), sale.salesCloseAtMs, 'and end');
      }, concertId);
      const last = places.at(-1);
      // Durable, but its news may be late: without them this process would deny that anybody has joined.
      if (last && queues.of(concertId).lastNumber < last.number) await sql.waitForChanges();
      return new Map(
        places.map((place) => [place.userId, { claim: claimOf(place, concertId), isNew: true }]),
      );
    } catch (error) {
      // Whether they have joined, the line itself tells.
      if (error instanceof OutcomeUnknown) return new Map();
      throw error;
    }
  }

  /** Those without an outcome so far get one. What goes wrong here is no concern of the others. */
  async function joinOthers(
    view: QueueProjection,
    userIds: () => readonly string[],
    sale: Sale,
    outcomes: Outcomes,
  ): Promise<void> {
    const others = (): string[] => unique(userIds()).filter((userId) => !outcomes.has(userId));
    try {
      const found = await sql.transaction((tx) => joinWithin(tx, view, others(), sale), view.concertId);
      // A place that was found may have been given by another process, after this one last heard of it.
      await sql.waitForChanges();
      for (const [userId, outcome] of found) outcomes.set(userId, outcome);
    } catch (error) {
      if (outcomes.size === 0 || !(error instanceof Error)) throw error;
      for (const userId of others()) outcomes.set(userId, error);
    }
  }
}
