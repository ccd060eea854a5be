import { type CaseGroup, onCopy } from '../bench.js';
import { seatsOf, userIds } from '../look-up.js';
import { measureAgainstFastify, roundOf } from '../measure.js';
import { dates, hold, join, pay, seats } from '../requests.js';
import { serving } from '../servers.js';
import { accessToken } from '../tokens.js';

/** From joining to the receipt, as one fan does it; a fan holds the seat that is theirs by number. */
export const bookingCase: CaseGroup = {
  name: 'booking',
  rows: [{ id: 'booking', title: 'whole bookings: join, dates, seats, hold, pay' }],
  async run(bench, fill) {
    const { bookings } = bench.sizes;
    const data = await bench.datasets.clubs(bookings);
    const all = await seatsOf(data);
    const ids = await userIds(data, bookings);
    const visits = ids.flatMap((userId, index) => {
      const seat = all[index];
      if (!seat) return [];
      const { concertId, scheduleId, id } = seat;
      return [
        [
          join(concertId, accessToken(userId)),
          dates(concertId, '{{token}}'),
          seats(scheduleId, '{{token}}'),
          hold(scheduleId, id, '{{token}}'),
          pay('{{reservation}}', '{{token}}'),
        ],
      ];
    });
    const captures = [
      { step: 0, name: 'token', pattern: '"token":"([^"]+)"' },
      { step: 3, name: 'reservation', pattern: '"id":"([^"]+)"' },
    ];
    await onCopy(bench, data, (copy) =>
      serving(copy, async ({ port }) => {
        const job = { port, visits, once: true, expect: [200, 201], captures };
        const { outcome, figures } = await measureAgainstFastify(bench, job);
        fill('booking', roundOf(outcome, figures));
      }),
    );
  },
};
