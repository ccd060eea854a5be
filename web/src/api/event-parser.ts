export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Parses `text/event-stream` incrementally; chunks may be cut anywhere. */
export function createEventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  let name = 'message';
  let data: string[] = [];

  function dispatch(): void {
    if (data.length > 0) onEvent({ name, data: JSON.parse(data.join('\n')) as unknown });
    name = 'message';
    data = [];
  }

  function parseLine(line: string): void {
    if (line === '') dispatch();
    else if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
    // Comments are heartbeats. `retry` is ignored: the reconnect delay is decided in follow.ts.
  }

  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) parseLine(line);
  };
}
