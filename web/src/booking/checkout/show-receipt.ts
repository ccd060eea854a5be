import { api, withRetries } from '../../api/index.js';
import { navigate } from '../../app/router.js';

/** Opens the receipt of a paid reservation: paying it again returns the same receipt. */
export async function showReceipt(reservationId: string, token: string): Promise<void> {
  const { id } = await withRetries(() => api.post('/payments', { body: { reservationId }, token }));
  navigate(`/receipts/${id}`, { replace: true });
}
