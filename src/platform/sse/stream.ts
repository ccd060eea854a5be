import type { ServerResponse } from 'node:http';
import { frame } from './frame.js';

export interface Stream {
  readonly closed: boolean;
  /** Nothing is sent once the stream is closed. */
  send(event: string, data: unknown): void;
  /** Sends text made by `frame`; several frames that are due together belong in one text. */
  sendText(text: string): void;
  /** Ends the stream after what was sent, and its connection with it. */
  close(): void;
  /** Called once, however the stream ends; at once if it has ended. */
  onClose(fn: () => void): void;
}

/** What the hub shares among its streams, so that each of them stays small. */
export interface StreamHost {
  readonly bufferMaxBytes: number;
  forget(stream: HubStream): void;
}

export class HubStream implements Stream {
  readonly key: string | undefined;
  readonly raw: ServerResponse;
  readonly #host: StreamHost;
  #closed = false;
  #closeFns: (() => void)[] | undefined;

  constructor(host: StreamHost, raw: ServerResponse, key: string | undefined) {
    this.#host = host;
    this.raw = raw;
    this.key = key;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(event: string, data: unknown): void {
    this.sendText(frame(event, data));
  }

  sendText(text: string): void {
    if (this.#closed) return;
    // Looked at before the write: what is left of earlier frames tells a slow reader, a long frame does not.
    if (this.raw.writableLength > this.#host.bufferMaxBytes) {
      this.markClosed();
      this.raw.destroy();
      return;
    }
    this.raw.write(text);
  }

  close(): void {
    if (this.#closed) return;
    this.markClosed();
    const { socket } = this.raw;
    this.raw.end();
    // A connection kept alive would hold up the shutdown, and nobody asks anything more on it.
    socket?.destroySoon();
  }

  onClose(fn: () => void): void {
    if (this.#closed) fn();
    else if (this.#closeFns) this.#closeFns.push(fn);
    else this.#closeFns = [fn];
  }

  /** The end of the stream, whoever brought it about. */
  markClosed(): void {
    this.#closed = true;
    this.#host.forget(this);
    const fns = this.#closeFns;
    this.#closeFns = undefined;
    if (fns) for (const fn of fns) fn();
  }
}
