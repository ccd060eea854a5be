import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
}

/** A real SMTP server on a loopback port that keeps what it receives. */
export interface SmtpServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Answers the next `count` recipients with this line instead of accepting them. */
  refuse(count: number, line: string): void;
  /** Stops answering after the text of a mail, until called with false. */
  hang(isHanging: boolean): void;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let refusal = { count: 0, line: '' };
  let isHanging = false;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    let buffer = '';
    let isInText = false;
    let envelope = { from: '', to: '' };

    function answerCommand(line: string): void {
      const [verb = ''] = line.toUpperCase().split(' ');
      const address = /<(.*)>/.exec(line)?.[1] ?? '';
      if (verb === 'EHLO' || verb === 'HELO') say('250 test.example');
      else if (verb === 'MAIL') {
        envelope = { from: address, to: '' };
        say('250 ok');
      } else if (verb === 'RCPT' && refusal.count > 0) {
        refusal = { ...refusal, count: refusal.count - 1 };
        say(refusal.line);
      } else if (verb === 'RCPT') {
        envelope.to = address;
        say('250 ok');
      } else if (verb === 'DATA') {
        isInText = true;
        say('354 go ahead');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    }

    socket.on('data', (chunk: Buffer) => {
      buffer += chunk.toString('latin1');
      for (;;) {
        const end = buffer.indexOf(isInText ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (isInText ? 5 : 2));
        if (!isInText) answerCommand(part);
        else if (!isHanging) {
          isInText = false;
          received.push({ ...envelope, ...parseMail(part) });
          say('250 queued');
        }
      }
    });
    say('220 test.example');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuse: (count, line) => (refusal = { count, line }),
    hang: (hanging) => (isHanging = hanging),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts such a server for a describe block. */
export function useSmtpServer(): Omit<SmtpServer, 'close'> {
  let server: SmtpServer | undefined;
  const started = (): SmtpServer => {
    if (!server) throw new Error('the SMTP server has not started yet');
    return server;
  };
  beforeAll(async () => {
    server = await startSmtpServer();
  });
  afterAll(() => server?.close());
  return {
    get url() {
      return started().url;
    },
    get received() {
      return started().received;
    },
    refuse: (count, line) => {
      started().refuse(count, line);
    },
    hang: (isHanging) => {
      started().hang(isHanging);
    },
  };
}

/** A mail with one text part, as RFC 5322 and MIME encode it. */
function parseMail(raw: string): Pick<ReceivedMail, 'subject' | 'messageId' | 'text'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
        return [name.toLowerCase(), value] as const;
      }),
  );
  const body = rest.join('\r\n\r\n').replace(/^\.\./gm, '.');
  return {
    subject: decodeWords(headers.get('subject') ?? ''),
    messageId: headers.get('message-id') ?? '',
    text: decodeBody(body, headers.get('content-transfer-encoding') ?? '7bit'),
  };
}

const decodeBody = (body: string, encoding: string): string =>
  encoding === 'base64'
    ? Buffer.from(body, 'base64').toString()
    : encoding === 'quoted-printable'
      ? decodeQuoted(body.replace(/=\r\n/g, ''))
      : body;

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`; white space between two encoded words is not part of the text. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
