import { describe, expect, it } from 'vitest';
import { createEventParser, type StreamEvent } from '../../web/src/api/event-parser.js';

const STREAM =
  'retry: 3000\n\nevent: position\ndata: {"rank":2}\n\n: hb\n\nevent: admitted\ndata: {"rank":0}\n\n';

const EVENTS: StreamEvent[] = [
  { name: 'position', data: { rank: 2 } },
  { name: 'admitted', data: { rank: 0 } },
];

function parse(...chunks: string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const feed = createEventParser((event) => events.push(event));
  for (const chunk of chunks) feed(chunk);
  return events;
}

describe('an event stream', () => {
  it('is parsed into events without heartbeats', () => {
    expect(parse(STREAM)).toEqual(EVENTS);
  });

  it('can be cut into chunks anywhere', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1)
      expect(parse(STREAM.slice(0, cut), STREAM.slice(cut))).toEqual(EVENTS);
    expect(parse(...Array.from(STREAM))).toEqual(EVENTS);
  });

  it('does not emit an unfinished event', () => {
    expect(parse('event: position\ndata: {"rank":2}\n')).toEqual([]);
  });
});
