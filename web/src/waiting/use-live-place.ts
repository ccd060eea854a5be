import { useEffect, useEffectEvent, useState } from 'react';
import { type Connection, type Problem, type QueueToken, serverNowMs } from '../api/index.js';
import { followPlace } from './follow-place.js';

export interface LivePlace {
  readonly place: QueueToken | undefined;
  readonly connection: Connection;
  readonly updatedAtMs: number;
}

/** Ignores updates that arrive out of order: a place never returns to WAITING and its rank never grows. */
function newerPlace(old: QueueToken | undefined, place: QueueToken): QueueToken {
  const isOlder = old?.joinedAt === place.joinedAt && old.status !== 'WAITING' && place.status === 'WAITING';
  if (isOlder) return old;
  const rank = old?.status === place.status ? Math.min(old.rank, place.rank) : place.rank;
  return { ...place, rank, ahead: Math.max(0, rank - 1) };
}

/** The place of a queue token, kept up to date. */
export function useLivePlace(
  concertId: string,
  token: string,
  onRefused: (problem: Problem) => void,
): LivePlace {
  const [now, setNow] = useState<LivePlace>({ place: undefined, connection: 'connecting', updatedAtMs: 0 });
  const refused = useEffectEvent(onRefused);
  useEffect(
    () =>
      followPlace(concertId, token, {
        onPlace: (place) =>
          setNow((old) => ({ ...old, place: newerPlace(old.place, place), updatedAtMs: serverNowMs() })),
        onConnection: (connection) => setNow((old) => ({ ...old, connection })),
        onRefused: (problem) => refused(problem),
      }),
    [concertId, token],
  );
  return now;
}
