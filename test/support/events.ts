export interface StreamEvent {
  readonly event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in `Answer`
  readonly data: any;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** All events so far, without comments. */
  readonly events: readonly StreamEvent[];
  /** Waits for the next event of this name that an earlier `next` has not returned. */
  next(event: string): Promise<StreamEvent>;
  /** Settles when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

const NEXT_MAX_MS = 10_000;

/** Opens a `text/event-stream` and collects its events. */
export async function openEvents(baseUrl: string, path: string, token: string): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      // The server closes the connection with the stream, so no other call may use it.
      connection: 'close',
    },
    signal: abort.signal,
  });
  const events: StreamEvent[] = [];
  const returned = new Set<StreamEvent>();
  let wake = (): void => undefined;

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        events.push(...frames.flatMap(parseFrame));
        wake();
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
  }
  const ended = read();
  ended.catch(() => undefined);

  return {
    status: response.status,
    headers: response.headers,
    events,
    ended,
    async next(name) {
      const endMs = Date.now() + NEXT_MAX_MS;
      for (;;) {
        const found = events.find((event) => event.event === name && !returned.has(event));
        if (found) {
          returned.add(found);
          return found;
        }
        const remainingMs = endMs - Date.now();
        if (remainingMs <= 0) throw new Error(`no ${name} event; received: ${JSON.stringify(events)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, remainingMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    close() {
      abort.abort();
    },
  };
}

function parseFrame(frame: string): StreamEvent[] {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const event = fields.get('event');
  return event === undefined ? [] : [{ event, data: JSON.parse(fields.get('data') ?? 'null') }];
}
