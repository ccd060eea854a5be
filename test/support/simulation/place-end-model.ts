import type { QueueRow } from '../../../src/waiting-room/queries.js';
import type { SentRequest } from './client-log.js';
import type { Place, Tables } from './tables.js';

const SECOND_MS = 1000;

interface TimeBounds {
  readonly earliestMs: number;
  readonly latestMs: number;
}

type Limit = 'idleSeconds' | 'showUpSeconds';

interface ModelPlace {
  /** From when the idle time counts: the last activity of the owner, a restart or a shorter idle time. */
  idleFrom: TimeBounds;
  /** From when the time to show up counts. */
  showUpFrom: TimeBounds;
  /** Whether the owner was active after the admission. */
  hasShownUp: 'no' | 'maybe' | 'yes';
}

const at = (ms: number): TimeBounds => ({ earliestMs: ms, latestMs: ms });

/**
 * A model of when ACTIVE places end. It only has bounds: within a burst it is not known whether a request was processed
 * before or after a place was admitted or the policy changed.
 */
export class PlaceEndModel {
  /** By place id. */
  readonly #places = new Map<string, ModelPlace>();
  /** The shortest and longest limits of the policies in force. */
  readonly #limitMs: Record<Limit, { min: number; max: number }> = {
    idleSeconds: { min: Infinity, max: Infinity },
    showUpSeconds: { min: Infinity, max: Infinity },
  };

  /** The place may have ended from `earliestMs` on, and must have ended from `latestMs` on. */
  boundsOf(place: Place): TimeBounds {
    const lifetimeMs = place.expiresAtMs ?? -Infinity;
    const { idleSeconds: idle, showUpSeconds: showUp } = this.#limitMs;
    const { idleFrom, showUpFrom, hasShownUp } = this.#modelOf(place);
    return {
      earliestMs: Math.min(
        lifetimeMs,
        idleFrom.earliestMs + idle.min,
        hasShownUp === 'yes' ? Infinity : showUpFrom.earliestMs + showUp.min,
      ),
      latestMs: Math.min(
        lifetimeMs,
        idleFrom.latestMs + idle.max,
        hasShownUp === 'no' ? showUpFrom.latestMs + showUp.max : Infinity,
      ),
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
    const admitted = after.places.filter(({ activatedAtMs }) => activatedAtMs !== null);
    const activeBefore = new Set(
      before.places.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id),
    );
    const change = requests.find(({ request }) => request.operation.kind === 'policy');
    if (change) this.#observeShorterLimits(admitted, activeBefore, change, policies, endMs);
    for (const limit of ['idleSeconds', 'showUpSeconds'] as const) {
      const all = policies.map((policy) => limitMsOf(policy, limit));
      this.#limitMs[limit] = { min: Math.min(...all), max: Math.max(...all) };
    }
    for (const place of admitted) {
      for (const { request, atMs } of requests) {
        if (request.userId !== place.userId || atMs < (place.activatedAtMs ?? 0)) continue;
        this.#observeActivity(place, activeBefore.has(place.id), atMs);
      }
    }
  }

  #observeActivity(place: Place, wasActive: boolean, atMs: number): void {
    const { earliestMs, latestMs } = this.boundsOf(place);
    const model = this.#modelOf(place);
    const { idleFrom, hasShownUp } = model;
    const isCertain = wasActive && atMs < earliestMs;
    const isPossible = atMs < latestMs;
    model.idleFrom = {
      earliestMs: isCertain ? Math.max(idleFrom.earliestMs, atMs) : idleFrom.earliestMs,
      latestMs: isPossible
        ? Math.max(idleFrom.latestMs, atMs, (place.activatedAtMs ?? 0) + 1)
        : idleFrom.latestMs,
    };
    if (isPossible) model.hasShownUp = isCertain || hasShownUp === 'yes' ? 'yes' : 'maybe';
  }

  /** A shorter limit starts counting when it is set, for every place that is still ACTIVE then. */
  #observeShorterLimits(
    places: readonly Place[],
    activeBefore: ReadonlySet<string>,
    { atMs, response }: SentRequest,
    [old, changed]: readonly QueueRow[],
    endMs: number,
  ): void {
    const isShorter = (limit: Limit): boolean => limitMsOf(changed, limit) < limitMsOf(old, limit);
    for (const place of places) {
      const { earliestMs, latestMs } = this.boundsOf(place);
      const isCertain = response !== undefined && activeBefore.has(place.id) && endMs < earliestMs;
      const restarted = (from: TimeBounds): TimeBounds => ({
        earliestMs: isCertain ? Math.max(from.earliestMs, atMs) : from.earliestMs,
        latestMs: atMs < latestMs ? Math.max(from.latestMs, endMs) : from.latestMs,
      });
      const model = this.#modelOf(place);
      if (isShorter('idleSeconds')) model.idleFrom = restarted(model.idleFrom);
      if (isShorter('showUpSeconds')) model.showUpFrom = restarted(model.showUpFrom);
    }
  }

  /**
   * No activity could be recorded while the process was down, so limits start again at the restart. What was not stored
   * is forgotten: a fan may have to show up again.
   */
  observeRestart({ places }: Tables, nowMs: number): void {
    for (const { id, status, activatedAtMs, lastSeenAtMs } of places)
      if (status === 'ACTIVE')
        this.#places.set(id, {
          idleFrom: at(nowMs),
          showUpFrom: at(nowMs),
          hasShownUp: (lastSeenAtMs ?? 0) > (activatedAtMs ?? 0) ? 'yes' : 'no',
        });
  }

  #modelOf({ id, activatedAtMs }: Place): ModelPlace {
    const fromMs = activatedAtMs ?? 0;
    const model = this.#places.get(id) ?? {
      idleFrom: at(fromMs),
      showUpFrom: at(fromMs),
      hasShownUp: 'no',
    };
    if (activatedAtMs !== null) this.#places.set(id, model);
    return model;
  }
}

const limitMsOf = (policy: QueueRow | undefined, limit: Limit): number =>
  (policy?.[limit] ?? Infinity) * SECOND_MS;
