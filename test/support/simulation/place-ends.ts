import type { RoomRow } from '../../../src/waiting-room/queries.js';
import type { Asked } from './books.js';
import type { Place, Tables } from './tables.js';

const SECOND_MS = 1000;

/** Between these two instants its owner was last heard of. */
interface Seen {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * When ACTIVE places end, as far as anybody outside can tell: within a burst it is not known whether a request came before a
 * place was let in, or before its rules changed.
 */
export class PlaceEnds {
  readonly #seen = new Map<string, Seen>();
  #idleMinMs = Infinity;
  #idleMaxMs = Infinity;

  /** The instant from which on it may be over, and the one from which on it is. */
  of({ id, activatedAtMs, expiresAtMs }: Place): { readonly earliestMs: number; readonly latestMs: number } {
    const lifetimeMs = expiresAtMs ?? -Infinity;
    const seen = this.#seen.get(id) ?? { earliestMs: activatedAtMs ?? 0, latestMs: activatedAtMs ?? 0 };
    return {
      earliestMs: Math.min(lifetimeMs, seen.earliestMs + this.#idleMinMs),
      latestMs: Math.min(lifetimeMs, seen.latestMs + this.#idleMaxMs),
    };
  }

  /** Takes notice of the requests of a burst, each a sign of life. */
  follow(before: Tables, after: Tables, asked: readonly Asked[], policies: readonly RoomRow[]): void {
    const idleMs = policies.map(({ idleSeconds }) =>
      idleSeconds === null ? Infinity : idleSeconds * SECOND_MS,
    );
    this.#idleMinMs = Math.min(...idleMs);
    this.#idleMaxMs = Math.max(...idleMs);
    const known = new Set(before.places.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
    for (const place of after.places) {
      const { id, userId, activatedAtMs } = place;
      if (activatedAtMs === null) continue;
      if (!this.#seen.has(id)) this.#seen.set(id, { earliestMs: activatedAtMs, latestMs: activatedAtMs });
      for (const { request, atMs } of asked) {
        if (request.userId !== userId || atMs < activatedAtMs) continue;
        const { earliestMs, latestMs } = this.of(place);
        const seen = this.#seen.get(id) ?? { earliestMs: atMs, latestMs: atMs };
        this.#seen.set(id, {
          earliestMs: known.has(id) && atMs < earliestMs ? atMs : seen.earliestMs,
          latestMs: atMs < latestMs ? atMs : seen.latestMs,
        });
      }
    }
  }

  /** Nobody could be seen while the process was down: idling starts anew. */
  restarted({ places }: Tables, nowMs: number): void {
    for (const { id, status } of places)
      if (status === 'ACTIVE') this.#seen.set(id, { earliestMs: nowMs, latestMs: nowMs });
  }
}
