/**
 * The personal-data module: what Foyer stores about a person, as a download, and the erasure of an account.
 *
 * Erasing replaces the e-mail address, the name and the password hash by a pseudonym, and revokes every token. The books stay:
 * receipts, paid reservations and wallet entries keep their user id, which then names nobody.
 *
 * Invariants: an erased account has no live place, no hold and an empty, closed wallet. Guarded statements of the modules that
 * own them decide against concurrent joins, holds, payments and charges. This module writes no table itself.
 */
export { createEraseAccount } from './erase-account.js';
export { personalDataRoutes } from './routes.js';
