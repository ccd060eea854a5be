import { api } from '../api/index.js';
import { useAccount } from '../session/index.js';
import { useLoaded } from '../ui/index.js';

/** Only the newest receipts are counted. Older ones belong to concerts that are no longer on sale. */
const RECEIPTS_MAX = '200';

/** How many tickets the signed-in fan has, by concert. Empty until it is known, and when nobody is signed in. */
export function useMyTickets(): ReadonlyMap<string, number> {
  const token = useAccount()?.accessToken;
  const { value } = useLoaded(`tickets of ${token ?? 'nobody'}`, async (signal) => {
    const tickets = new Map<string, number>();
    if (token === undefined) return tickets;
    const { items } = await api.get('/payments', { token, signal, query: { limit: RECEIPTS_MAX } });
    for (const { concert, seats, refundedAt } of items)
      if (refundedAt === null) tickets.set(concert.id, (tickets.get(concert.id) ?? 0) + seats.length);
    return tickets;
  });
  return value ?? NO_TICKETS;
}

const NO_TICKETS: ReadonlyMap<string, number> = new Map();
