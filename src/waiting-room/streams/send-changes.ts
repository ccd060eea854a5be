import type { Sql } from '../../platform/sql/index.js';
import { placesAdmitted, placesEnded, policyChanged, queueClosed, waitingLeft } from '../topics.js';
import type { PlaceStreams } from './place-streams.js';

/** Sends what happens to places to their open streams, whichever process it happened in. */
export function sendChanges(deps: {
  readonly sql: Pick<Sql, 'subscribe'>;
  readonly streams: PlaceStreams;
  readonly onPlaceEnded: (placeId: string) => void;
  readonly onError: (error: unknown) => void;
}): void {
  const { sql, streams, onPlaceEnded, onError } = deps;
  sql.subscribe(placesAdmitted, ({ places }) => {
    for (const { placeId } of places) streams.sendState(placeId, 'admitted').catch(onError);
  });
  const flush = (): void => {
    streams.flush().catch(onError);
  };
  sql.subscribe(queueClosed, flush);
  sql.subscribe(policyChanged, flush);
  sql.subscribe(waitingLeft, ({ placeId }) => {
    streams.close(placeId);
  });
  sql.subscribe(placesEnded, ({ how, places }) => {
    for (const { placeId } of places) {
      onPlaceEnded(placeId);
      if (how === 'EXPIRED') streams.sendState(placeId, 'expired').catch(onError);
      if (how === 'LEFT') streams.close(placeId);
    }
  });
}
