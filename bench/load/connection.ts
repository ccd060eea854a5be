import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY: Buffer = Buffer.alloc(0);
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const NO_BODY = new Set([204, 304]);

export interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
  readonly wireBytes: number;
  /** Empty unless it was asked for. */
  readonly body: string;
}

/** One kept-alive connection with one request under way at a time; knows just enough HTTP to see where an answer ends. */
export class Connection {
  readonly #socket: Socket;
  readonly #onAnswer: (answer: Answer) => void;
  #wantsBody = false;
  #head: Buffer = EMPTY;
  #status = 0;
  #headBytes = 0;
  #bodyBytes = 0;
  #bodyLeft = -1;
  #body: Buffer[] = [];
  #isOver = false;

  constructor(socket: Socket, onAnswer: (answer: Answer) => void, onFault: (fault: string) => void) {
    this.#socket = socket;
    this.#onAnswer = onAnswer;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      try {
        this.#take(chunk);
      } catch (error) {
        onFault(String(error));
      }
    });
    socket.on('error', (error) => {
      if (!this.#isOver) onFault(error.message);
    });
    socket.on('close', () => {
      if (!this.#isOver) onFault('the server closed a connection');
    });
  }

  send(request: Buffer | string, wantsBody: boolean): void {
    this.#wantsBody = wantsBody;
    this.#socket.write(request);
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    if (this.#bodyLeft < 0) {
      const all = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = all.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = all;
        return;
      }
      this.#readHead(all.toString('latin1', 0, end));
      this.#head = EMPTY;
      this.#headBytes = end + HEAD_END.length;
      rest = all.subarray(this.#headBytes);
    }
    if (this.#wantsBody && rest.length > 0) this.#body.push(rest);
    this.#bodyLeft -= rest.length;
    if (this.#bodyLeft < 0) throw new Error('more came than the one answer that was asked for');
    if (this.#bodyLeft === 0) this.#answered();
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    const length = LENGTH.exec(head)?.[1];
    if (length === undefined && !NO_BODY.has(this.#status)) throw new Error('an answer without a length');
    this.#bodyBytes = Number(length ?? 0);
    this.#bodyLeft = this.#bodyBytes;
  }

  #answered(): void {
    this.#bodyLeft = -1;
    const body = this.#wantsBody ? Buffer.concat(this.#body).toString() : '';
    this.#body = [];
    const bodyBytes = this.#bodyBytes;
    this.#onAnswer({ status: this.#status, bodyBytes, wireBytes: this.#headBytes + bodyBytes, body });
  }
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
