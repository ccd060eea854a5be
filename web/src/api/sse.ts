/** One event of a stream. */
export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Reads `text/event-stream` piece by piece; pieces may be cut anywhere. */
export function createEventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  let name = 'message';
  let data: string[] = [];

  function dispatch(): void {
    if (data.length > 0) onEvent({ name, data: JSON.parse(data.join('\n')) as unknown });
    name = 'message';
    data = [];
  }

  function takeLine(line: string): void {
    if (line === '') dispatch();
    else if (line.startsWith('event:')) name = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
    // Comments are heartbeats; `retry` is ours to decide.
  }

  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  };
}
