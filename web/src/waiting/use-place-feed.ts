import { useEffect, useEffectEvent, useState } from 'react';
import { type Connection, type Problem, type QueueToken, serverNowMs } from '../api/index.js';
import { followPlace } from './follow-place.js';

export interface PlaceNow {
  readonly place: QueueToken | undefined;
  readonly connection: Connection;
  readonly updatedAtMs: number;
}

/** A rank never grows: news that overtook each other on the way do not show it growing either. */
function latest(old: QueueToken | undefined, place: QueueToken): QueueToken {
  const isOlder = old?.joinedAt === place.joinedAt && old.status !== 'WAITING' && place.status === 'WAITING';
  if (isOlder) return old;
  const rank = old?.status === place.status ? Math.min(old.rank, place.rank) : place.rank;
  return { ...place, rank, ahead: Math.max(0, rank - 1) };
}

/** The place behind a queue token, as it changes. */
export function usePlaceFeed(
  concertId: string,
  token: string,
  onRefused: (problem: Problem) => void,
): PlaceNow {
  const [now, setNow] = useState<PlaceNow>({ place: undefined, connection: 'connecting', updatedAtMs: 0 });
  const refused = useEffectEvent(onRefused);
  useEffect(
    () =>
      followPlace(concertId, token, {
        onPlace: (place) =>
          setNow((old) => ({ ...old, place: latest(old.place, place), updatedAtMs: serverNowMs() })),
        onConnection: (connection) => setNow((old) => ({ ...old, connection })),
        onRefused: (problem) => refused(problem),
      }),
    [concertId, token],
  );
  return now;
}
