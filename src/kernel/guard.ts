/**
 * Every condition that protects money, the queue's order or the outcome of a race has a stable id here. `guard` returns
 * its value unchanged. Tests replace this module by one that weakens single guards, and expect the invariants that they
 * protect to be violated.
 *
 * Statements call `guard` inside their text function, so that the replacement takes effect whenever a text is built.
 */
export type GuardId =
  // Seats
  | 'seat-available' // a hold takes only seats that are available or whose hold has expired
  | 'seat-lock' // holds of one seat are decided one after another
  | 'claim-available' // the same, in the statement that claims them
  | 'seat-hold-expiry' // an expired hold does not keep its seats
  | 'best-seats-attempts' // a fan whose choice was taken gets another one
  // Concerts
  | 'build-complete' // a concert becomes visible with all of its seats or not at all
  // Reservations
  | 'hold-place-lock' // holds of one fan run one after another
  | 'seat-limit' // a fan has no more seats than the policy allows
  | 'reservation-lock' // a payment locks its reservation
  | 'reservation-expiry' // an expired reservation is refused before money moves
  | 'confirm-unexpired' // only an unexpired hold is confirmed
  | 'sell-unexpired' // only seats of an unexpired hold are sold
  | 'sell-all-seats' // a payment sells all seats of its reservation
  // Money
  | 'wallet-lock' // changes of one wallet run one after another
  | 'wallet-balance' // a debit is covered by the balance
  | 'wallet-unchanged' // an entry follows the entry that was read, and its balance is not negative
  | 'charge-open-wallet' // the wallet of an erased account is not charged
  | 'close-empty-wallet' // an account with money is not erased
  | 'entry-amount' // an entry carries the amount that moved
  | 'refund-once' // a payment is refunded once
  | 'refund-confirmed' // only a CONFIRMED reservation is refunded
  | 'refund-frees-seats' // a refund frees all seats of its reservation
  | 'idempotency-lookup' // a repeated key finds the stored response
  | 'idempotency-insert' // the first response stored under a key stays
  // Sessions
  | 'token-version' // a token with an older version than its account is revoked
  | 'sign-in-version' // a session has the version that was read with its password hash
  | 'own-password-version' // a revoked session changes no password
  | 'rehash-unchanged' // a stronger hash never replaces a changed password
  // Queue
  | 'queue-lock' // one transaction at a time assigns numbers
  | 'one-live-place' // a user has one live place per concert
  | 'join-not-erased' // an erased account does not join
  | 'join-retry' // a join whose place ends meanwhile is retried
  | 'admission-lock' // one transaction at a time admits
  | 'admission-order' // the lowest waiting numbers are admitted
  | 'active-count' // admission counts every ACTIVE place
  | 'admission-period' // admission counts every place admitted within the period
  | 'place-lifetime' // an ACTIVE place expires at the end of its lifetime
  | 'place-idle-time' // an ACTIVE place expires when idle, not before
  | 'place-show-up' // an ACTIVE place expires when its owner does not show up, not before
  | 'expiry-recheck' // a request stored meanwhile keeps a place from expiring
  | 'place-active' // booking needs an ACTIVE place
  | 'hold-consumes-place' // with consumeOn RESERVATION a hold consumes the place
  | 'place-live' // an ended place is not locked for a payment
  | 'consume-active' // only an ACTIVE, unexpired place is consumed
  | 'left-places' // a restart knows who left the queue
  // The end of a sale
  | 'join-before-closing' // nobody joins once the sale has closed
  | 'join-unless-sold-out' // nobody joins a sale that is sold out
  | 'waiting-until-closing' // nobody waits once the sale has closed
  | 'admission-before-closing' // nobody is admitted once the sale has closed
  | 'admission-skips-closed' // a place that ended with the sale is never admitted
  | 'reopening-keeps-closed' // a sale that is reopened leaves the places ended that it closed before
  | 'sold-out-seats' // a sale is sold out only if no seat of a date to come is unsold
  | 'read-before-closing' // no dates or seats are shown once the sale has closed
  | 'hold-before-closing' // nothing is held once the sale has closed
  | 'shorten-holds' // an earlier end of the sale ends the holds whose payment needs the place
  | 'hold-sale-end' // a hold in flight meanwhile ends with the sale, too
  | 'pay-before-closing' // nothing is paid with a place once the sale has closed
  // Rate limits
  | 'retry-after' // a refusal by a rate limit says when to try again
  // Mail
  | 'mail-claim' // one process at a time sends a mail
  | 'mailed-token-once' // a mailed link sets a password once
  | 'operator-removal-lock' // two operators cannot remove each other
  // Storage
  | 'batch-row-count' // a guarded batch statement changes one row per row
  | 'batch-lock-order' // batches lock rows in order of id
  | 'batch-distinct-users' // two calls of one user are never in one batch
  | 'batch-keeps-accepted' // a refused member of a batch does not undo the others
  | 'savepoint-rollback' // a refused transaction leaves nothing behind
  | 'sqlite-durable-answer' // SQLite answers after the commit
  | 'postgres-durable-answer'; // PostgreSQL acknowledges a commit after it is on disk

export const guard = <T>(_id: GuardId, value: T): T => value;
