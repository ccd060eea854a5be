import { type Answer, type Asked, bodyOf, readToken } from './books.js';
import { keep } from './broken.js';
import { checkHoldAnswer, checkPayAnswer, checkReleaseAnswer } from './check-booking.js';
import { rankIn } from './check-line.js';
import type { Place } from './tables.js';
import { placeOf, type Window } from './window.js';

/** Every answer of a burst was right at some moment of it. */
export function checkAnswers(window: Window): void {
  for (const asked of window.asked) {
    const { answer } = asked;
    if (answer) checkAnswer(window, asked, answer);
  }
}

function checkAnswer(window: Window, asked: Asked, answer: Answer): void {
  const { wish } = asked.request;
  switch (wish.kind) {
    case 'join':
      checkJoin(window, asked, answer);
      return;
    case 'poll':
      checkPoll(window, asked, answer, wish.place);
      return;
    case 'leave':
      checkLeave(window, answer, wish.place);
      return;
    case 'hold':
    case 'best':
      checkHoldAnswer(window, asked, answer, wish);
      return;
    case 'release':
      checkReleaseAnswer(window, asked, answer, wish.reservation);
      return;
    case 'pay':
      checkPayAnswer(window, asked, answer, wish.reservation);
      return;
    case 'charge': {
      const isRight = wish.amount > 0 ? answer.status === 201 : bodyOf(answer).code === 'INVALID_AMOUNT';
      keep('a charge is taken', isRight, () => answer);
      return;
    }
    case 'refund':
      keep('a refund is given', answer.status === 201 || answer.status === 200, () => answer);
      return;
    case 'policy':
      keep('a policy is changed', answer.status === 200, () => answer);
      return;
    case 'move lines':
    case 'expire holds':
      return;
  }
}

const JOIN = 'whoever joins has a place, and one they keep';

function checkJoin({ before, after, ends, startMs }: Window, { request, atMs }: Asked, answer: Answer): void {
  const old = before.places.find(
    ({ userId, status }) => userId === request.userId && (status === 'WAITING' || status === 'ACTIVE'),
  );
  // Joined again with one hand and left with the other: the place that was found is given up by the time it is shown.
  if (answer.body.reason === 'LEFT' && placeOf(after, old?.id ?? '')?.status === 'LEFT') return;
  keep(JOIN, answer.status === 201 || answer.status === 200, () => answer);
  const { placeId, number } = readToken(answer.body.token);
  const place = placeOf(after, placeId);
  const detail = (): unknown => [answer, place];
  keep(JOIN, place?.userId === request.userId && place.number === number, detail);
  if (answer.status === 201) {
    keep(JOIN, !placeOf(before, placeId) && (place?.joinedAtMs ?? 0) >= atMs, detail);
    // Somebody with a live place gets another only if that one ended meanwhile.
    const hadEnded = !old || (placeOf(after, old.id)?.endedAtMs ?? -1) >= startMs;
    keep(JOIN, hadEnded, () => [answer, old, placeOf(after, old?.id ?? '')]);
  } else if (old?.id === placeId && old.status === 'ACTIVE') {
    keep('what has run out is over', atMs < ends.of(old).latestMs, detail);
  }
}

/** As it stood at some moment of the burst. */
function checkPoll(window: Window, { turn, atMs }: Asked, answer: Answer, old: Place): void {
  const { before, after, books, ends, endMs } = window;
  const place = placeOf(after, old.id);
  if (!place) return;
  const body = bodyOf(answer);
  const detail = (): unknown => [answer, old, place];
  const POLL = 'a poll says how the place stands';
  if (answer.status !== 200) {
    keep(POLL, body.reason === 'LEFT' && place.status === 'LEFT', detail);
    return;
  }
  switch (body.status) {
    case 'WAITING': {
      keep(POLL, old.status === 'WAITING', detail);
      const isBetween = rankIn(after, old.id) <= body.rank && body.rank <= rankIn(before, old.id);
      keep('a rank is 1 + those waiting in front', isBetween && body.rank >= 1, detail);
      const known = books.ranks.get(old.id);
      const hasGrown = known !== undefined && known.turn < turn && known.rank < body.rank;
      keep('a rank never grows', !hasGrown, () => [known, answer]);
      books.ranks.set(old.id, { rank: body.rank, turn: answer.turn });
      return;
    }
    case 'ACTIVE':
      keep(POLL, place.activatedAtMs !== null && atMs < ends.of(place).latestMs, detail);
      return;
    case 'EXPIRED':
      keep(POLL, place.status === 'EXPIRED' || ends.of(place).earliestMs <= endMs, detail);
      return;
    default:
      keep(POLL, place.status === body.status, detail);
  }
}

function checkLeave({ after, ends, endMs }: Window, answer: Answer, { id }: Place): void {
  const place = placeOf(after, id);
  const hasEnded = place !== undefined && place.endedAtMs !== null;
  const hasRunOut = place?.status === 'ACTIVE' && ends.of(place).earliestMs <= endMs;
  keep('whoever leaves has left', answer.status === 204 && (hasEnded || hasRunOut), () => [answer, place]);
}
