import type { AddedConcert } from '../catalog/index.js';
import { iso } from '../kernel/time.js';

/** A new concert as its promoter is answered. */
export const toAdded = ({ id, schedules }: AddedConcert) => ({
  id,
  schedules: schedules.map(({ startsAtMs, ...rest }) => ({ ...rest, startsAt: iso(startsAtMs) })),
});
