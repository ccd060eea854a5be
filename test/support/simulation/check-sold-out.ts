import { keep } from './broken.js';
import { CONCERT, FANS, SEATS } from './hall.js';
import type { Life } from './life.js';
import { isFree, type Window } from './window.js';

/** What anybody is shown of the seats is what the seats' own rows say. */
export async function checkSoldOut(life: Life, { after, endMs }: Window): Promise<void> {
  const [fan = ''] = FANS;
  const request = { params: { id: CONCERT } };
  const { body: concert } = await life.look('GET /concerts/:id', fan, request);
  const { body: overview } = await life.look('GET /concerts/:id/overview', fan, request);
  const isSold = (seatId: string): boolean => after.seats.get(seatId)?.status === 'SOLD';
  const isSoldOut = SEATS.every(({ id }) => isSold(id));
  const detail = (): unknown => [concert, overview, ...after.seats.values()];
  keep('sold out says the truth', concert.soldOut === isSoldOut && overview.soldOut === isSoldOut, detail);
  for (const { id: dateId, soldOut } of overview.dates) {
    const seats = SEATS.filter((seat) => seat.dateId === dateId);
    const sold = seats.filter(({ id }) => isSold(id)).length;
    keep('sold out says the truth', soldOut === (sold === seats.length), detail);
    const available = seats.filter(({ id }) => isFree(after, id, endMs)).length;
    const wanted = { total: seats.length, available, sold, held: seats.length - available - sold };
    const counted = await life.countSeats(dateId);
    keep('seats are counted exactly', JSON.stringify(counted) === JSON.stringify(wanted), () => [
      counted,
      wanted,
    ]);
  }
}
