import type { Sql } from '../platform/sql/index.js';
import { seatsChanged } from './changes.js';
import { listSeatsOf } from './queries.js';
import { createSteadyRead } from './steady-read.js';
import { SeatBoard, type SeatChange } from './seat-board.js';

/** The boards of the dates this process has been asked about. */
export interface SeatBoards {
  of(scheduleId: string): Promise<SeatBoard>;
}

export function createSeatBoards(sql: Sql): SeatBoards {
  const boards = new Map<string, SeatBoard>();
  /** Changes committed while a board was being read; they may or may not be in what was read. */
  const reading = new Map<string, { readonly board: Promise<SeatBoard>; readonly missed: SeatChange[] }>();

  const steadily = createSteadyRead(sql);

  async function read(scheduleId: string, missed: readonly SeatChange[]): Promise<SeatBoard> {
    const seats = await steadily(() => sql.reader.all(listSeatsOf, [scheduleId]));
    const board = new SeatBoard(scheduleId, seats, sql.nowMs());
    for (const change of missed) board.apply(change);
    boards.set(scheduleId, board);
    return board;
  }

  // A date nobody has looked at needs no board: it will be read as it is then.
  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    reading.get(scheduleId)?.missed.push(change);
    boards.get(scheduleId)?.apply(change);
  });
  sql.onMissed(() => {
    boards.clear();
    return Promise.resolve();
  });

  return {
    async of(scheduleId) {
      const known = boards.get(scheduleId);
      if (known) return known;
      const underWay = reading.get(scheduleId);
      if (underWay) return underWay.board;
      const missed: SeatChange[] = [];
      const board = read(scheduleId, missed).finally(() => reading.delete(scheduleId));
      reading.set(scheduleId, { board, missed });
      return board;
    },
  };
}
