import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY: Buffer = Buffer.alloc(0);
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUSES_WITHOUT_BODY = new Set([204, 304]);
const BETWEEN_RESPONSES = -1;

export interface HttpResponse {
  readonly status: number;
  readonly bodyBytes: number;
  readonly wireBytes: number;
  /** Empty unless the request asked for it. */
  readonly body: string;
}

/**
 * A keep-alive connection with at most one outstanding request. Parses only as much HTTP as it needs to find the end of
 * a response: it requires a content-length and does not support chunked responses.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #onResponse: (response: HttpResponse) => void;
  #wantsBody = false;
  /** The part of a response head that has arrived so far. */
  #partialHead: Buffer = EMPTY;
  #status = 0;
  #headBytes = 0;
  #bodyBytes = 0;
  #bodyBytesLeft = BETWEEN_RESPONSES;
  #bodyChunks: Buffer[] = [];
  #isClosed = false;

  constructor(
    socket: Socket,
    onResponse: (response: HttpResponse) => void,
    onError: (error: string) => void,
  ) {
    this.#socket = socket;
    this.#onResponse = onResponse;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      try {
        this.#parse(chunk);
      } catch (error) {
        onError(String(error));
      }
    });
    socket.on('error', (error) => {
      if (!this.#isClosed) onError(error.message);
    });
    socket.on('close', () => {
      if (!this.#isClosed) onError('the server closed a connection');
    });
  }

  send(request: Buffer | string, wantsBody: boolean): void {
    this.#wantsBody = wantsBody;
    this.#socket.write(request);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #parse(chunk: Buffer): void {
    let body = chunk;
    if (this.#bodyBytesLeft === BETWEEN_RESPONSES) {
      const received = this.#partialHead.length === 0 ? chunk : Buffer.concat([this.#partialHead, chunk]);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) {
        this.#partialHead = received;
        return;
      }
      this.#parseHead(received.toString('latin1', 0, headEnd));
      this.#partialHead = EMPTY;
      this.#headBytes = headEnd + HEAD_END.length;
      body = received.subarray(this.#headBytes);
    }
    if (this.#wantsBody && body.length > 0) this.#bodyChunks.push(body);
    this.#bodyBytesLeft -= body.length;
    if (this.#bodyBytesLeft < 0) throw new Error('received more bytes than one response');
    if (this.#bodyBytesLeft === 0) this.#finishResponse();
  }

  #parseHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (length === undefined && !STATUSES_WITHOUT_BODY.has(this.#status))
      throw new Error('received a response without content-length');
    this.#bodyBytes = Number(length ?? 0);
    this.#bodyBytesLeft = this.#bodyBytes;
  }

  #finishResponse(): void {
    this.#bodyBytesLeft = BETWEEN_RESPONSES;
    const body = this.#wantsBody ? Buffer.concat(this.#bodyChunks).toString() : '';
    this.#bodyChunks = [];
    const bodyBytes = this.#bodyBytes;
    this.#onResponse({ status: this.#status, bodyBytes, wireBytes: this.#headBytes + bodyBytes, body });
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
