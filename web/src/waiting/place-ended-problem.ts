import { Problem } from '../api/index.js';

const REASONS = { DONE: 'USED', EXPIRED: 'EXPIRED', CLOSED: 'CLOSED' } as const;

/** The refusal that a call with this place would get, known from its status before any call is refused. */
export const placeEndedProblem = (status: keyof typeof REASONS): Problem =>
  new Problem(403, 'ACCESS_DENIED', { reason: REASONS[status] });
