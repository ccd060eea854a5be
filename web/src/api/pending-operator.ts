import type { paths } from './schema.js';

/** The promoter's calls that openapi.json does not describe yet, in the shape of the generated types. */
interface Json<Body> {
  content: { 'application/json': Body };
}
interface NoQuery {
  query?: never;
}
type Policy =
  paths['/api/v1/operator/concerts/{id}/waiting-room']['get']['responses'][200]['content']['application/json'];
interface DeskConcertBody {
  id: string;
  title: string;
  venue: string;
  description: string;
  currency: string;
  salesOpenAt: string | null;
  salesCloseAt: string | null;
  soldOut: boolean;
  waitingRoom: Policy;
  seatsTotal: number;
  seatsSold: number;
}
interface DateBody {
  id: string;
  startsAt: string;
  seatsTotal: number;
  seatsRemaining: number;
  soldOut: boolean;
  sections: { name: string; grade: string; price: number; seats: number }[];
}
interface List<Item> {
  items: Item[];
  nextCursor: string | null;
}
interface Paged {
  query?: { limit?: string; cursor?: string };
}

export interface PendingOperatorPaths {
  '/operator/concerts': {
    get: { parameters: Paged; responses: { 200: Json<List<DeskConcertBody>> } };
    post: paths['/api/v1/operator/concerts']['post'];
  };
  '/operator/concerts/{id}': {
    get: { parameters: NoQuery; responses: { 200: Json<DeskConcertBody & { schedules: DateBody[] }> } };
    patch: paths['/api/v1/operator/concerts/{id}']['patch'];
  };
  '/operator/concerts/{id}/duplicate': {
    post: {
      parameters: NoQuery;
      requestBody: Json<{
        title?: string;
        salesOpenAt?: string | null;
        salesCloseAt?: string | null;
        shiftDays?: number;
      }>;
      responses: { 201: Json<{ id: string }> };
    };
  };
  '/operator/concerts/{id}/history': {
    get: {
      parameters: NoQuery;
      responses: {
        200: Json<{
          everySeconds: number;
          items: {
            at: string;
            waiting: number;
            active: number;
            admitted: number;
            joined: number;
            seatsHeld: number;
            seatsSold: number;
            revenue: number;
          }[];
        }>;
      };
    };
  };
  '/operator/concerts/{id}/audit': {
    get: {
      parameters: Paged;
      responses: {
        200: Json<
          List<{
            id: string;
            at: string;
            actor: { id: string; email: string } | null;
            action:
              | 'CONCERT_CREATED'
              | 'CONCERT_EDITED'
              | 'POLICY_CHANGED'
              | 'PAYMENT_REFUNDED'
              | 'CONCERT_DUPLICATED';
            details: Record<string, unknown>;
          }>
        >;
      };
    };
  };
  '/operator/payments/{id}/refund': {
    post: {
      parameters: NoQuery;
      responses: {
        201: Json<{
          paymentId: string;
          reservationId: string;
          amount: number;
          currency: string;
          refundedAt: string;
        }>;
      };
    };
  };
}
