import { urlOf, api, type Connection, follow, type Problem, type QueueToken } from '../api/index.js';

export interface PlaceListener {
  readonly onPlace: (place: QueueToken) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The place has ended, or its token is invalid. */
  readonly onRefused: (problem: Problem) => void;
}

interface PlaceUpdate {
  readonly place?: QueueToken;
  readonly connection?: Connection;
}

const EVENTS_URL = urlOf('/queue-tokens/me/events');
/** Poll interval of a hidden page: often enough to alert the fan on admission. */
const HIDDEN_POLL_MS = 20_000;

/** Runs `work` in one tab at a time; without the Web Locks API (pages without TLS), in every tab. */
function runInOneTab(name: string, signal: AbortSignal, work: () => () => void): void {
  const until = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = work();
      signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // Undefined in pages without TLS, although its type says otherwise.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) void until();
  // Rejects if it is aborted while waiting for the lock.
  else locks.request(name, { signal }, () => (signal.aborted ? undefined : until())).catch(() => undefined);
}

/**
 * Follows a place in the queue. The server allows one stream per place: one visible tab holds it and broadcasts updates to the
 * others. A hidden tab releases the stream and polls rarely; when it becomes visible again, it polls immediately.
 */
export function followPlace(concertId: string, token: string, feed: PlaceListener): () => void {
  const name = `foyer.place.${concertId}`;
  const channel = new BroadcastChannel(name);
  let current = new AbortController();

  const deliver = ({ place, connection }: PlaceUpdate): void => {
    if (place) feed.onPlace(place);
    if (connection) feed.onConnection(connection);
  };
  const broadcast = (update: PlaceUpdate): void => {
    deliver(update);
    channel.postMessage(update);
  };
  channel.onmessage = ({ data }: MessageEvent<PlaceUpdate>) => deliver(data);

  const poll = async (signal: AbortSignal): Promise<number> => {
    const place = await api.get('/queue-tokens/me', { token, signal });
    broadcast({ place });
    return place.pollAfterMs;
  };

  const stream = (): (() => void) =>
    follow({
      url: EVENTS_URL,
      token,
      poll,
      onEvent: ({ name: event, data }) => {
        if (event !== 'hold-expired') broadcast({ place: data as QueueToken });
      },
      onConnection: (connection) => broadcast({ connection }),
      onRefused: feed.onRefused,
    });

  const pollRarely = (): (() => void) => {
    const timer = setInterval(() => void poll(current.signal).catch(() => undefined), HIDDEN_POLL_MS);
    return () => clearInterval(timer);
  };

  function restart(): void {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    if (document.hidden) {
      const stop = pollRarely();
      signal.addEventListener('abort', stop);
      return;
    }
    // Another tab may hold the stream: do not wait for its next broadcast.
    poll(signal).catch(() => undefined);
    runInOneTab(name, signal, stream);
  }

  document.addEventListener('visibilitychange', restart);
  restart();
  return () => {
    document.removeEventListener('visibilitychange', restart);
    current.abort();
    channel.close();
  };
}
