import type { ServerResponse } from 'node:http';
import { frame } from './frame.js';

export interface Stream {
  readonly closed: boolean;
  /** Does nothing once the stream is closed. */
  send(event: string, data: unknown): void;
  /** Sends text made by `frame`. Join several frames into one text: each call is one write. */
  sendText(text: string): void;
  /** Flushes what was sent, then ends the stream and its connection. */
  close(): void;
  /** Calls the listener once, however the stream ends; immediately if it has ended. */
  onClose(listener: () => void): void;
}

/** Shared by all streams of a hub, to keep each stream small. */
export interface StreamHost {
  readonly bufferMaxBytes: number;
  remove(stream: HubStream): void;
}

export class HubStream implements Stream {
  readonly key: string | undefined;
  readonly raw: ServerResponse;
  readonly #host: StreamHost;
  #closed = false;
  #closeListeners: (() => void)[] | undefined;

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
    // Checked before the write: unsent earlier frames reveal a slow reader, a long frame does not.
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
    // A keep-alive connection would delay the shutdown, and no request follows on it.
    socket?.destroySoon();
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else if (this.#closeListeners) this.#closeListeners.push(listener);
    else this.#closeListeners = [listener];
  }

  /** The stream has ended, closed by either side. */
  markClosed(): void {
    this.#closed = true;
    this.#host.remove(this);
    const listeners = this.#closeListeners;
    this.#closeListeners = undefined;
    if (listeners) for (const listener of listeners) listener();
  }
}
