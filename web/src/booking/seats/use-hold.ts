import { useState } from 'react';
import { api, createIdempotentCall, isProblem, type Reservation, ConnectionError } from '../../api/index.js';
import { navigate } from '../../app/router.js';
import { useAction } from '../../ui/index.js';
import { myHolds } from '../my-holds.js';

interface Hold {
  readonly busy: boolean;
  /** The outcome is unknown: the request is running, or its response was lost. */
  readonly isUncertain: boolean;
  readonly error: unknown;
  readonly hold: (seatIds: readonly string[]) => void;
  readonly holdBest: (count: number, grade: string | undefined) => void;
  readonly clear: () => void;
}

/** Holds chosen or best seats and opens the checkout. `onLimit` gets the limit from a refusal for too many seats. */
export function useHold(scheduleId: string, token: string, onLimit: (limit: number) => void): Hold {
  const [callOnce] = useState(createIdempotentCall);
  const action = useAction(async (send: (key: string) => Promise<Reservation>, request: unknown) => {
    try {
      const hold = await callOnce(request, send);
      myHolds.add(hold);
      navigate(`/checkout/${hold.id}`);
    } catch (error) {
      if (isProblem(error, 'SEAT_LIMIT_EXCEEDED') && typeof error.details['limit'] === 'number')
        onLimit(error.details['limit']);
      throw error;
    }
  });
  return {
    busy: action.busy,
    isUncertain: action.busy || action.error instanceof ConnectionError,
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
