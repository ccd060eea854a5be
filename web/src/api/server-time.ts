/** How far the server's clock is ahead of this one; countdowns follow the server's. */
let aheadMs = 0;
let known = false;

/** A Date header is cut to the second: on average half a second has passed since. */
const CUT_MS = 500;
/** Less than this is the header's cut and the way it took, and no other clock. */
const NOISE_MS = 1500;

export function learnServerTime(answer: Response, sentAtMs: number): void {
  const date = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const receivedAtMs = Date.now();
  const measuredMs = date + CUT_MS - (sentAtMs + receivedAtMs) / 2;
  if (known && Math.abs(measuredMs - aheadMs) < NOISE_MS) return;
  aheadMs = Math.abs(measuredMs) < NOISE_MS ? 0 : measuredMs;
  known = true;
}

export const serverNowMs = (): number => Date.now() + aheadMs;
