import { describe, expect, it } from 'vitest';
import { createEventParser, type StreamEvent } from '../../web/src/api/event-parser.js';

const STREAM =
  'retry: 3000\n\nevent: position\ndata: {"rank":2}\n\n: hb\n\nevent: admitted\ndata: {"rank":0}\n\n';

const EVENTS: StreamEvent[] = [
  { name: 'position', data: { rank: 2 } },
  { name: 'admitted', data: { rank: 0 } },
];

function read(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const take = createEventParser((event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

describe('an event stream', () => {
  it('is read as a whole, heartbeats left out', () => {
    expect(read(STREAM)).toEqual(EVENTS);
  });

  it('may be cut anywhere', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1)
      expect(read(STREAM.slice(0, cut), STREAM.slice(cut))).toEqual(EVENTS);
    expect(read(...Array.from(STREAM))).toEqual(EVENTS);
  });

  it('says nothing of an event that is not finished', () => {
    expect(read('event: position\ndata: {"rank":2}\n')).toEqual([]);
  });
});
