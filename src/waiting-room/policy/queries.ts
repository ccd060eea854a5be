import { statement } from '../../platform/sql/index.js';

type PolicyParams = [
  concertId: string,
  maxActive: number | null,
  admitCount: number | null,
  admitEverySeconds: number | null,
  activeSeconds: number,
  idleSeconds: number | null,
  showUpSeconds: number | null,
  consumeOn: string,
  holdSeconds: number,
  maxSeatsPerUser: number,
  paused: number,
  closeWhenSoldOut: number,
  notice: string | null,
];

export const insertQueue = statement<[...PolicyParams, closesAtMs: number]>(
  'insert_queue',
  `INSERT INTO queues (concert_id, max_active, admit_count, admit_every_seconds, active_seconds, idle_seconds,
     show_up_seconds, consume_on, hold_seconds, max_seats_per_user, paused, close_when_sold_out, notice,
     closes_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

export const updatePolicy = statement<PolicyParams>(
  'update_policy',
  `UPDATE queues SET max_active = $2, admit_count = $3, admit_every_seconds = $4, active_seconds = $5,
     idle_seconds = $6, show_up_seconds = $7, consume_on = $8, hold_seconds = $9, max_seats_per_user = $10,
     paused = $11, close_when_sold_out = $12, notice = $13
   WHERE concert_id = $1`,
);
