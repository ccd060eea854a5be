/** Child process of `streams.ts`: keeps event streams open and records which events arrive and when. */
import type { Socket } from 'node:net';
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { openSocket } from './http-connection.js';
import { CommandSchema, type StreamsReport } from './streams.js';

const AdmittedEventSchema = Type.Object({ activatedAt: Type.String() });
const CONCURRENT_OPENS_MAX = 50;
const EVENT = /event: ([\w-]+)\ndata: (.*)\n\n/g;

const report: StreamsReport = { positions: 0, lost: 0, delaysMs: [] };

/** Resolves when the stream has sent its first event, which must be a position. */
async function open(port: number, request: string): Promise<void> {
  const socket = await openSocket(port);
  await new Promise<void>((resolve, reject) => {
    const onFirstEvent = (event: string): void => {
      if (event === 'position') resolve();
      else reject(new Error(`the first event of a stream was "${event}" instead of "position"`));
    };
    socket.on('close', () => (report.lost += 1));
    socket.on('error', reject);
    readEvents(socket, onFirstEvent);
    socket.write(request);
  });
}

function readEvents(socket: Socket, onFirstEvent: (event: string) => void): void {
  let text = '';
  let isFirst = true;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const nowMs = Date.now();
    text += chunk;
    let end = 0;
    for (const match of text.matchAll(EVENT)) {
      const [whole, event = '', data = ''] = match;
      end = match.index + whole.length;
      if (isFirst) onFirstEvent(event);
      else if (event === 'position') report.positions += 1;
      else if (event === 'admitted') report.delaysMs.push(nowMs - readActivatedAtMs(data));
      isFirst = false;
    }
    text = text.slice(end);
  });
}

const readActivatedAtMs = (data: string): number =>
  Date.parse(parse(AdmittedEventSchema, JSON.parse(data), 'an admitted event').activatedAt);

async function openAll(port: number, requests: readonly string[]): Promise<void> {
  for (let start = 0; start < requests.length; start += CONCURRENT_OPENS_MAX) {
    const batch = requests.slice(start, start + CONCURRENT_OPENS_MAX);
    await Promise.all(batch.map((request) => open(port, request)));
  }
}

process.on('message', (message) => {
  const command = parse(CommandSchema, message, 'a command to the stream process');
  const done = 'open' in command ? openAll(command.port, command.open) : Promise.resolve();
  done.then(
    () => process.send?.(report),
    (error: unknown) => {
      throw error;
    },
  );
});
