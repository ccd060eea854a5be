import { topic } from '../platform/sql/index.js';
import type { ReservationRow } from './queries.js';

/** Holds that ran out unpaid. */
export const holdsExpired = topic<readonly ReservationRow[]>('holds-expired');
