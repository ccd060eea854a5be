import { useState } from 'react';
import { api, createIntent, isProblem, type Reservation, Unreachable } from '../api/index.js';
import { navigate } from '../app/router.js';
import { useAction } from '../ui/index.js';

interface Hold {
  readonly busy: boolean;
  /** Nobody knows yet whether the seats are held: no answer has come, or it was lost. */
  readonly isOpen: boolean;
  readonly error: unknown;
  readonly hold: (seatIds: readonly string[]) => void;
  readonly holdBest: (count: number, grade: string | undefined) => void;
  readonly clear: () => void;
}

/** Holds seats, chosen or best, and goes on to pay for them. `onLimit` hears how many one may have. */
export function useHold(scheduleId: string, token: string, onLimit: (limit: number) => void): Hold {
  const [intent] = useState(createIntent);
  const action = useAction(async (take: (key: string) => Promise<Reservation>, wanted: unknown) => {
    try {
      const { id } = await intent(wanted, take);
      navigate(`/checkout/${id}`);
    } catch (error) {
      if (isProblem(error, 'SEAT_LIMIT_EXCEEDED') && typeof error.extra['limit'] === 'number')
        onLimit(error.extra['limit']);
      throw error;
    }
  });
  return {
    busy: action.busy,
    isOpen: action.busy || action.error instanceof Unreachable,
    error: action.error,
    clear: action.clear,
    hold: (seatIds) => {
      const body = { scheduleId, seatIds: [...seatIds] };
      action.run((idempotencyKey) => api.post('/reservations', { body, token, idempotencyKey }), body);
    },
    holdBest: (count, grade) => {
      const body = { scheduleId, count, ...(grade !== undefined && { grade }) };
      action.run((idempotencyKey) => api.post('/reservations/best', { body, token, idempotencyKey }), body);
    },
  };
}
