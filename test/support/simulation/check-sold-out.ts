import { checkInvariant } from './invariant-violation.js';
import type { Engine } from './engine.js';
import { isFree, type ObservedBurst } from './observed-burst.js';
import { CONCERT, FANS, SEATS } from './sale-fixture.js';

/** What the API reports about availability agrees with the rows of the seats. */
export async function checkSoldOut(engine: Engine, { after, endMs }: ObservedBurst): Promise<void> {
  const [fan = ''] = FANS;
  const request = { params: { id: CONCERT } };
  const { body: concert } = await engine.peek('GET /concerts/:id', fan, request);
  const { body: overview } = await engine.peek('GET /concerts/:id/overview', fan, request);
  const isSold = (seatId: string): boolean => after.seats.get(seatId)?.status === 'SOLD';
  const isSoldOut = SEATS.every(({ id }) => isSold(id));
  const detail = (): unknown => [concert, overview, ...after.seats.values()];
  checkInvariant(
    'soldOut is accurate',
    concert.soldOut === isSoldOut && overview.soldOut === isSoldOut,
    detail,
  );
  for (const { id: dateId, soldOut } of overview.dates) {
    const seats = SEATS.filter((seat) => seat.dateId === dateId);
    const sold = seats.filter(({ id }) => isSold(id)).length;
    checkInvariant('soldOut is accurate', soldOut === (sold === seats.length), detail);
    const available = seats.filter(({ id }) => isFree(after, id, endMs)).length;
    const expected = { total: seats.length, available, sold, held: seats.length - available - sold };
    const counted = await engine.countSeats(dateId);
    checkInvariant('seat counts are accurate', JSON.stringify(counted) === JSON.stringify(expected), () => [
      counted,
      expected,
    ]);
  }
}
