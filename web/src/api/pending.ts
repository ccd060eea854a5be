/** Calls that openapi.json does not describe yet, in the shape of the generated types. */
interface Json<Body> {
  content: { 'application/json': Body };
}

interface OverviewBody {
  concertId: string;
  saleState: 'BEFORE' | 'OPEN' | 'CLOSED';
  soldOut: boolean;
  dates: { id: string; startsAt: string; seatsTotal: number; soldOut: boolean }[];
  /** Dearest first. */
  grades: { grade: string; price: number }[];
  serverTime: string;
  /** How many seats of a date one may have; absent where the room does not say. */
  maxSeatsPerUser?: number;
}

/** What never changes about a date's seats; seats are columns, in the order of the state's bits. */
interface ChartBody {
  scheduleId: string;
  currency: string;
  size: { width: number; height: number };
  stage: { x: number; y: number; width: number; height: number };
  grades: { grade: string; price: number }[];
  sections: { name: string; x: number; y: number; width: number; height: number }[];
  rows: { section: number; name: string }[];
  seats: {
    id: string[];
    row: number[];
    number: string[];
    label: string[];
    grade: number[];
    x: number[];
    y: number[];
  };
}

/** Two bits a seat, four seats a byte, as base64. */
interface StateBody {
  scheduleId: string;
  version: number;
  seats: string;
}

interface ReservationBody {
  id: string;
  concertId: string;
  scheduleId: string;
  seats: { id: string; label: string; grade: string; price: number }[];
  amount: number;
  currency: string;
  status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
  createdAt: string;
  expiresAt: string;
}

interface NoQuery {
  query?: never;
}

export interface PendingPaths {
  '/concerts/{id}/overview': { get: { parameters: NoQuery; responses: { 200: Json<OverviewBody> } } };
  '/schedules/{id}/chart': { get: { parameters: NoQuery; responses: { 200: Json<ChartBody> } } };
  '/schedules/{id}/state': { get: { parameters: NoQuery; responses: { 200: Json<StateBody> } } };
  '/reservations/best': {
    post: {
      parameters: NoQuery;
      requestBody: Json<{ scheduleId: string; count: number; grade?: string }>;
      responses: { 201: Json<ReservationBody> };
    };
  };
}

/** Beside the unchanging snapshot. */
export interface PendingReceipt {
  refundedAt?: string | null;
}
