import type { QueueRow } from '../../../src/waiting-room/queries.js';
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
  follow(
    before: Tables,
    after: Tables,
    asked: readonly Asked[],
    policies: readonly QueueRow[],
    endMs: number,
  ): void {
    const change = asked.find(({ request }) => request.wish.kind === 'policy');
    const idleMs = policies.map(({ idleSeconds }) =>
      idleSeconds === null ? Infinity : idleSeconds * SECOND_MS,
    );
    const known = new Set(before.places.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
    if (change && (idleMs[1] ?? Infinity) < (idleMs[0] ?? Infinity))
      this.#shortened(after, known, change, endMs);
    this.#idleMinMs = Math.min(...idleMs);
    this.#idleMaxMs = Math.max(...idleMs);
    for (const place of after.places) {
      const { id, userId, activatedAtMs } = place;
      if (activatedAtMs === null) continue;
      if (!this.#seen.has(id)) this.#seen.set(id, { earliestMs: activatedAtMs, latestMs: activatedAtMs });
      for (const { request, atMs } of asked) {
        if (request.userId !== userId || atMs < activatedAtMs) continue;
        const { earliestMs, latestMs } = this.of(place);
        const seen = this.#seen.get(id) ?? { earliestMs: atMs, latestMs: atMs };
        this.#seen.set(id, {
          earliestMs: known.has(id) && atMs < earliestMs ? Math.max(seen.earliestMs, atMs) : seen.earliestMs,
          latestMs: atMs < latestMs ? Math.max(seen.latestMs, atMs) : seen.latestMs,
        });
      }
    }
  }

  /** A shorter idle time counts from when it was set: a sign of life of everybody who was still here by the old one. */
  #shortened({ places }: Tables, known: ReadonlySet<string>, { atMs, answer }: Asked, endMs: number): void {
    for (const place of places) {
      const { id, activatedAtMs } = place;
      if (activatedAtMs === null) continue;
      const { earliestMs, latestMs } = this.of(place);
      const seen = this.#seen.get(id) ?? { earliestMs: activatedAtMs, latestMs: activatedAtMs };
      const isCertain = answer !== undefined && known.has(id) && endMs < earliestMs;
      this.#seen.set(id, {
        earliestMs: isCertain ? Math.max(seen.earliestMs, atMs) : seen.earliestMs,
        latestMs: atMs < latestMs ? Math.max(seen.latestMs, endMs) : seen.latestMs,
      });
    }
  }

  /** Nobody could be seen while the process was down: idling starts anew. */
  restarted({ places }: Tables, nowMs: number): void {
    for (const { id, status } of places)
      if (status === 'ACTIVE') this.#seen.set(id, { earliestMs: nowMs, latestMs: nowMs });
  }
}
