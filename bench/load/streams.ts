/** Holds many event streams open, in a process of its own, and notes what comes when. */
import type { Socket } from 'node:net';
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { openSocket } from './connection.js';

const MessageSchema = Type.Union([
  Type.Object({ open: Type.Array(Type.String()), port: Type.Integer() }),
  Type.Object({ report: Type.Literal(true) }),
]);
const ActivatedSchema = Type.Object({ activatedAt: Type.String() });
const OPENING_MAX = 50;
const EVENT = /event: ([\w-]+)\ndata: (.*)\n\n/g;

let [opened, positions, lost] = [0, 0, 0];
const delaysMs: number[] = [];

async function open(port: number, request: string): Promise<void> {
  const socket = await openSocket(port);
  await new Promise<void>((resolve, reject) => {
    const onFirst = (event: string): void => {
      opened += 1;
      if (event === 'position') resolve();
      else reject(new Error(`a stream began with ${event}`));
    };
    socket.on('close', () => (lost += 1));
    socket.on('error', reject);
    listen(socket, onFirst);
    socket.write(request);
  });
}

function listen(socket: Socket, onFirst: (event: string) => void): void {
  let text = '';
  let isFirst = true;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const nowMs = Date.now();
    text += chunk;
    let end = 0;
    for (const match of text.matchAll(EVENT)) {
      const [whole, event = '', data = ''] = match;
      end = match.index + whole.length;
      if (isFirst) onFirst(event);
      else if (event === 'position') positions += 1;
      else if (event === 'admitted') delaysMs.push(nowMs - activatedMs(data));
      isFirst = false;
    }
    text = text.slice(end);
  });
}

const activatedMs = (data: string): number =>
  Date.parse(parse(ActivatedSchema, JSON.parse(data), 'an admitted event').activatedAt);

async function openAll(port: number, requests: readonly string[]): Promise<void> {
  for (let at = 0; at < requests.length; at += OPENING_MAX) {
    await Promise.all(requests.slice(at, at + OPENING_MAX).map((request) => open(port, request)));
  }
}

process.on('message', (sent) => {
  const message = parse(MessageSchema, sent, 'a message');
  const done = 'open' in message ? openAll(message.port, message.open) : Promise.resolve();
  done.then(
    () => process.send?.({ opened, positions, lost, delaysMs }),
    (error: unknown) => {
      throw error;
    },
  );
});
