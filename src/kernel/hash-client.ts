/** The client that waits for a password hash: networks take turns. Without an address it is the server itself. */
export interface HashClient {
  /** An IP address. */
  readonly client?: string | undefined;
  /** Aborted when the client disconnects: no hash is computed for it any more. */
  readonly signal?: AbortSignal | undefined;
}
