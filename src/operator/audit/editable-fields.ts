import type { AuditDetails } from '../../audit/index.js';
import type { Concert } from '../../catalog/index.js';
import { isoOrNull } from '../../kernel/time.js';

/** The fields of a concert that an operator can edit, as the API shows them. */
export const editableFields = (concert: Concert): AuditDetails => ({
  title: concert.title,
  venue: concert.venue,
  description: concert.description,
  timeZone: concert.timeZone,
  salesOpenAt: isoOrNull(concert.salesOpenAtMs),
  salesCloseAt: isoOrNull(concert.salesCloseAtMs),
  runningMinutes: concert.runningMinutes,
  minAge: concert.minAge,
  refundRules: concert.refundRules,
  poster: concert.poster,
});
