import type { PlaceClaim } from '../../kernel/caller.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Queues } from '../projection/queues.js';
import { listPlaceOwners } from '../queries.js';
import type { PlaceStreams } from '../streams/place-streams.js';
import type { QueueTokens } from './queue-tokens.js';

/** What revoking the tokens of a user means for their places: the places stay, and joining again returns new tokens. */
export function createRevocablePlaces(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly tokens: QueueTokens;
  readonly streams: PlaceStreams;
  /** Whether the tokens of an account with this version of its credentials were revoked. */
  readonly isRevoked: (token: Pick<PlaceClaim, 'userId' | 'credentialVersion'>) => boolean;
  /** Whether the account was erased. */
  readonly isErased: (userId: string) => boolean;
  readonly closeSeatStream: (placeId: string) => void;
}) {
  const { sql, queues, tokens, streams, isRevoked, isErased, closeSeatStream } = deps;

  /** The place of a queue token; undefined if it is forged or revoked. */
  function findPlace(token: string): PlaceClaim | undefined {
    const claim = tokens.read(token);
    return claim && !isRevoked(claim) ? claim : undefined;
  }

  return {
    findPlace,

    /** The same, but refuses with USER_NOT_FOUND if the account was erased. */
    identifyPlace(token: string): PlaceClaim | undefined {
      const claim = tokens.read(token);
      if (claim && isErased(claim.userId)) throw new Refusal('USER_NOT_FOUND');
      return claim && !isRevoked(claim) ? claim : undefined;
    },

    /** Of these users, those who have a place, live or ended and not yet purged. */
    findPlaceOwners: async (userIds: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set((await sql.reader.all(listPlaceOwners, [userIds])).map(({ userId }) => userId)),

    /** Closes what the user has open with a revoked token. */
    closeStreamsOf(userId: string): void {
      streams.closeOf(userId);
      for (const { placeId } of queues.activeOf(userId)) closeSeatStream(placeId);
    },
  };
}
