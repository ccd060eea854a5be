import { readSeats, readUserIds } from '../datasets/read-ids.js';
import { dates, hold, ID_PATTERN, join, pay, seats, TOKEN_PATTERN } from '../foyer/requests.js';
import { signAccessToken } from '../foyer/tokens.js';
import { measureAgainstFastify, toRound } from '../measurement/against-references.js';
import { type BenchmarkCase, withServerOnCopy } from './case.js';

/** From join to receipt, the requests of one fan in sequence. Fan n books seat n, so fans do not compete. */
export const bookingCase: BenchmarkCase = {
  name: 'booking',
  rows: [{ id: 'booking', title: 'whole bookings: join, dates, seats, hold, pay' }],
  async run(context, record) {
    const { bookings } = context.sizes;
    const database = await context.datasets.clubs(bookings);
    const userIds = await readUserIds(database, bookings);
    const allSeats = await readSeats(database);
    const scenarios = userIds.flatMap((userId, index) => {
      const seat = allSeats[index];
      if (!seat) return [];
      const { concertId, scheduleId, id } = seat;
      return [
        [
          join(concertId, signAccessToken(userId)),
          dates(concertId, '{{token}}'),
          seats(scheduleId, '{{token}}'),
          hold(scheduleId, id, '{{token}}'),
          pay('{{reservation}}', '{{token}}'),
        ],
      ];
    });
    const captures = [
      { step: 0, name: 'token', pattern: TOKEN_PATTERN },
      { step: 3, name: 'reservation', pattern: ID_PATTERN },
    ];
    await withServerOnCopy(context, database, async ({ port }) => {
      const job = { port, scenarios, once: true, expectedStatuses: [200, 201], captures };
      const { outcome, figures } = await measureAgainstFastify(context, job);
      record('booking', toRound(outcome, figures));
    });
  },
};
