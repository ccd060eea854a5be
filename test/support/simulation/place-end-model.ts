import type { QueueRow } from '../../../src/waiting-room/queries.js';
import type { SentRequest } from './client-log.js';
import type { Place, Tables } from './tables.js';

const SECOND_MS = 1000;

interface TimeBounds {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * A model of when ACTIVE places end. It only has bounds: within a burst it is not known whether a request was processed
 * before or after a place was admitted or the policy changed.
 */
export class PlaceEndModel {
  /** When the owner of a place was last active, by place id. */
  readonly #lastSeen = new Map<string, TimeBounds>();
  #idleMinMs = Infinity;
  #idleMaxMs = Infinity;

  /** The place may have ended from `earliestMs` on, and must have ended from `latestMs` on. */
  boundsOf({ id, activatedAtMs, expiresAtMs }: Place): TimeBounds {
    const lifetimeMs = expiresAtMs ?? -Infinity;
    const seen = this.#lastSeen.get(id) ?? { earliestMs: activatedAtMs ?? 0, latestMs: activatedAtMs ?? 0 };
    return {
      earliestMs: Math.min(lifetimeMs, seen.earliestMs + this.#idleMinMs),
      latestMs: Math.min(lifetimeMs, seen.latestMs + this.#idleMaxMs),
    };
  }

  /** Every request of a burst counts as activity of its user. */
  observeBurst(
    before: Tables,
    after: Tables,
    requests: readonly SentRequest[],
    policies: readonly QueueRow[],
    endMs: number,
  ): void {
    const change = requests.find(({ request }) => request.operation.kind === 'policy');
    const idleMs = policies.map(({ idleSeconds }) =>
      idleSeconds === null ? Infinity : idleSeconds * SECOND_MS,
    );
    const activeBefore = new Set(
      before.places.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id),
    );
    if (change && (idleMs[1] ?? Infinity) < (idleMs[0] ?? Infinity))
      this.#observeShorterIdleTime(after, activeBefore, change, endMs);
    this.#idleMinMs = Math.min(...idleMs);
    this.#idleMaxMs = Math.max(...idleMs);
    for (const place of after.places) {
      const { id, userId, activatedAtMs } = place;
      if (activatedAtMs === null) continue;
      if (!this.#lastSeen.has(id))
        this.#lastSeen.set(id, { earliestMs: activatedAtMs, latestMs: activatedAtMs });
      for (const { request, atMs } of requests) {
        if (request.userId !== userId || atMs < activatedAtMs) continue;
        const { earliestMs, latestMs } = this.boundsOf(place);
        const seen = this.#lastSeen.get(id) ?? { earliestMs: atMs, latestMs: atMs };
        this.#lastSeen.set(id, {
          earliestMs:
            activeBefore.has(id) && atMs < earliestMs ? Math.max(seen.earliestMs, atMs) : seen.earliestMs,
          latestMs: atMs < latestMs ? Math.max(seen.latestMs, atMs) : seen.latestMs,
        });
      }
    }
  }

  /** A shorter idle time starts counting when it is set: it acts as activity for every place that is still ACTIVE then. */
  #observeShorterIdleTime(
    { places }: Tables,
    activeBefore: ReadonlySet<string>,
    { atMs, response }: SentRequest,
    endMs: number,
  ): void {
    for (const place of places) {
      const { id, activatedAtMs } = place;
      if (activatedAtMs === null) continue;
      const { earliestMs, latestMs } = this.boundsOf(place);
      const seen = this.#lastSeen.get(id) ?? { earliestMs: activatedAtMs, latestMs: activatedAtMs };
      const isCertain = response !== undefined && activeBefore.has(id) && endMs < earliestMs;
      this.#lastSeen.set(id, {
        earliestMs: isCertain ? Math.max(seen.earliestMs, atMs) : seen.earliestMs,
        latestMs: atMs < latestMs ? Math.max(seen.latestMs, endMs) : seen.latestMs,
      });
    }
  }

  /** No activity could be recorded while the process was down, so idle time starts again at the restart. */
  observeRestart({ places }: Tables, nowMs: number): void {
    for (const { id, status } of places)
      if (status === 'ACTIVE') this.#lastSeen.set(id, { earliestMs: nowMs, latestMs: nowMs });
  }
}
