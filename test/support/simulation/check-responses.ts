import { checkHoldResponse, checkPayResponse, checkReleaseResponse } from './check-booking.js';
import { mayBeClosed, mayBeSoldOut } from './check-closing.js';
import { rankIn } from './check-queue.js';
import { bodyOf, readQueueToken, type ReceivedResponse, type SentRequest } from './client-log.js';
import { checkInvariant } from './invariant-violation.js';
import { type ObservedBurst, placeOf } from './observed-burst.js';
import type { Place } from './tables.js';

/** Every response of a burst must be correct for some moment of the burst. */
export function checkResponses(burst: ObservedBurst): void {
  for (const sent of burst.requests) {
    const { response } = sent;
    if (response) checkResponse(burst, sent, response);
  }
}

function checkResponse(burst: ObservedBurst, sent: SentRequest, response: ReceivedResponse): void {
  const { operation } = sent.request;
  switch (operation.kind) {
    case 'join':
      checkJoin(burst, sent, response);
      return;
    case 'poll':
      checkPoll(burst, sent, response, operation.place);
      return;
    case 'leave':
      checkLeave(burst, response, operation.place);
      return;
    case 'hold':
    case 'best':
      checkHoldResponse(burst, sent, response, operation);
      return;
    case 'release':
      checkReleaseResponse(burst, sent, response, operation.reservation);
      return;
    case 'pay':
      checkPayResponse(burst, sent, response, operation.reservation);
      return;
    case 'charge': {
      const isRight =
        operation.amount > 0 ? response.status === 201 : bodyOf(response).code === 'INVALID_AMOUNT';
      checkInvariant('a positive charge succeeds', isRight, () => response);
      return;
    }
    case 'refund':
      checkInvariant('a refund succeeds', response.status === 201 || response.status === 200, () => response);
      return;
    case 'move closing':
      checkInvariant('the closing can be moved', response.status === 200, () => response);
      return;
    case 'policy':
      checkInvariant('a policy change succeeds', response.status === 200, () => response);
      return;
    case 'run admission':
    case 'expire holds':
      return;
  }
}

const JOIN = 'a join returns the live place of the user';

function checkJoin(burst: ObservedBurst, { request, atMs }: SentRequest, response: ReceivedResponse): void {
  const { before, after, placeEnds } = burst;
  const old = before.places.find(
    ({ userId, status }) => userId === request.userId && (status === 'WAITING' || status === 'ACTIVE'),
  );
  // A concurrent leave: the join found the live place, but it was LEFT before the response was built.
  if (response.body.reason === 'LEFT' && placeOf(after, old?.id ?? '')?.status === 'LEFT') return;
  if (isRefusedByEnd(burst, response)) return;
  checkInvariant(JOIN, response.status === 201 || response.status === 200, () => response);
  const { placeId, number } = readQueueToken(response.body.token);
  const place = placeOf(after, placeId);
  const detail = (): unknown => [response, place];
  checkInvariant(JOIN, place?.userId === request.userId && place.number === number, detail);
  if (response.status === 201) {
    checkInvariant(JOIN, !placeOf(before, placeId) && (place?.joinedAtMs ?? 0) >= atMs, detail);
    checkInvariant(JOIN, hasEndedSince(burst, old), () => [response, old, placeOf(after, old?.id ?? '')]);
  } else if (old?.id === placeId && old.status === 'ACTIVE') {
    checkInvariant('an expired place cannot be used', atMs < placeEnds.boundsOf(old).latestMs, detail);
  }
}

/** The sale has ended, and a moment of the burst allows this answer. */
function isRefusedByEnd(burst: ObservedBurst, { body }: ReceivedResponse): boolean {
  if (body.code !== 'SALES_CLOSED' && body.code !== 'SOLD_OUT') return false;
  const mayRefuse = body.code === 'SOLD_OUT' ? mayBeSoldOut(burst) : mayBeClosed(burst);
  checkInvariant('joining is refused only when the sale has ended', mayRefuse, () => [
    body,
    burst.after.room,
  ]);
  return true;
}

/** A user with a live place gets a new one only if the old one ended during the burst. */
function hasEndedSince({ after, startMs }: ObservedBurst, old: Place | undefined): boolean {
  const ended = old && placeOf(after, old.id);
  return !old || ended?.status === 'CLOSED' || (ended?.endedAtMs ?? -1) >= startMs;
}

function checkPoll(
  burst: ObservedBurst,
  { step, atMs }: SentRequest,
  response: ReceivedResponse,
  old: Place,
): void {
  const { before, after, log, placeEnds, endMs } = burst;
  const place = placeOf(after, old.id);
  if (!place) return;
  const body = bodyOf(response);
  const detail = (): unknown => [response, old, place];
  const POLL = 'a poll returns the current status';
  if (response.status !== 200) {
    checkInvariant(POLL, body.reason === 'LEFT' && place.status === 'LEFT', detail);
    return;
  }
  switch (body.status) {
    case 'WAITING': {
      checkInvariant(POLL, old.status === 'WAITING', detail);
      const isBetween = rankIn(after, old.id) <= body.rank && body.rank <= rankIn(before, old.id);
      checkInvariant(
        'a rank is 1 + the number of WAITING places in front',
        isBetween && body.rank >= 1,
        detail,
      );
      const known = log.lastRanks.get(old.id);
      const hasIncreased = known !== undefined && known.step < step && known.rank < body.rank;
      checkInvariant('a rank never increases', !hasIncreased, () => [known, response]);
      log.lastRanks.set(old.id, { rank: body.rank, step: response.step });
      return;
    }
    case 'ACTIVE':
      checkInvariant(POLL, place.activatedAtMs !== null && atMs < placeEnds.boundsOf(place).latestMs, detail);
      return;
    case 'EXPIRED':
      checkInvariant(
        POLL,
        place.status === 'EXPIRED' || placeEnds.boundsOf(place).earliestMs <= endMs,
        detail,
      );
      return;
    default:
      checkInvariant(POLL, place.status === body.status, detail);
  }
}

function checkLeave(
  { after, placeEnds, endMs }: ObservedBurst,
  response: ReceivedResponse,
  { id }: Place,
): void {
  const place = placeOf(after, id);
  const hasEnded = place !== undefined && place.endedAtMs !== null;
  const mayHaveExpired = place?.status === 'ACTIVE' && placeEnds.boundsOf(place).earliestMs <= endMs;
  checkInvariant(
    'a place that was left has ended',
    response.status === 204 && (hasEnded || mayHaveExpired),
    () => [response, place],
  );
}
