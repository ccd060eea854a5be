import { addressOf, api, type Connection, follow, type Problem, type QueueToken } from '../api/index.js';

export interface PlaceFeed {
  readonly onPlace: (place: QueueToken) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The place is gone, or its token is no good. */
  readonly onRefused: (problem: Problem) => void;
}

interface News {
  readonly place?: QueueToken;
  readonly connection?: Connection;
}

const EVENTS = addressOf('/queue-tokens/me/events');
/** Hidden, a page asks rarely: just often enough to call the fan when it is their turn. */
const HIDDEN_POLL_MS = 20_000;

/** Runs `work` in one tab at a time; in all of them where the browser cannot tell (only without TLS). */
function asOnlyTab(name: string, signal: AbortSignal, work: () => () => void): void {
  const until = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = work();
      signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // Absent in pages without TLS, whatever the types say.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) void until();
  // Rejects when the page stops waiting for its turn.
  else locks.request(name, { signal }, () => (signal.aborted ? undefined : until())).catch(() => undefined);
}

/**
 * Follows a place in line. The server has one stream per place: of several tabs the first one that is looked at streams and
 * tells the others. A hidden tab lets go of the stream and asks now and then; seen again, it catches up at once.
 */
export function followPlace(concertId: string, token: string, feed: PlaceFeed): () => void {
  const name = `foyer.place.${concertId}`;
  const channel = new BroadcastChannel(name);
  let turn = new AbortController();

  const hear = ({ place, connection }: News): void => {
    if (place) feed.onPlace(place);
    if (connection) feed.onConnection(connection);
  };
  const tell = (news: News): void => {
    hear(news);
    channel.postMessage(news);
  };
  channel.onmessage = ({ data }: MessageEvent<News>) => hear(data);

  const poll = async (signal: AbortSignal): Promise<number> => {
    const place = await api.get('/queue-tokens/me', { token, signal });
    tell({ place });
    return place.pollAfterMs;
  };

  const stream = (): (() => void) =>
    follow({
      address: EVENTS,
      token,
      poll,
      onEvent: ({ name: event, data }) => {
        if (event !== 'hold-expired') tell({ place: data as QueueToken });
      },
      onConnection: (connection) => tell({ connection }),
      onRefused: feed.onRefused,
    });

  const askRarely = (): (() => void) => {
    const timer = setInterval(() => void poll(turn.signal).catch(() => undefined), HIDDEN_POLL_MS);
    return () => clearInterval(timer);
  };

  function begin(): void {
    turn.abort();
    turn = new AbortController();
    const { signal } = turn;
    if (document.hidden) {
      const stop = askRarely();
      signal.addEventListener('abort', stop);
      return;
    }
    // Another tab may have the stream: this one does not wait for its next word.
    poll(signal).catch(() => undefined);
    asOnlyTab(name, signal, stream);
  }

  document.addEventListener('visibilitychange', begin);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', begin);
    turn.abort();
    channel.close();
  };
}
