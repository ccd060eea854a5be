import { api, withRetries } from '../api/index.js';
import { navigate } from '../app/router.js';

/** A reservation that is paid answers its receipt, however often it is asked to be paid. */
export async function showReceipt(reservationId: string, token: string): Promise<void> {
  const { id } = await withRetries(() => api.post('/payments', { body: { reservationId }, token }));
  navigate(`/receipts/${id}`, { replace: true });
}
