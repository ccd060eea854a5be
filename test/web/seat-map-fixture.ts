import { type Chart, decodeChart } from '../../web/src/seat-map/chart/chart.js';

export interface Block {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly rows: number;
  readonly seatsPerRow: number;
}

/** A chart with rectangular sections, as the server returns it. */
export function chartBody(blocks: readonly Block[]) {
  const rows: { section: number; name: string }[] = [];
  const seats = {
    id: [] as string[],
    row: [] as number[],
    number: [] as string[],
    label: [] as string[],
    grade: [] as number[],
    x: [] as number[],
    y: [] as number[],
  };
  blocks.forEach((block, section) => {
    for (let row = 0; row < block.rows; row += 1) {
      rows.push({ section, name: String(row + 1) });
      for (let seat = 0; seat < block.seatsPerRow; seat += 1) {
        seats.id.push(`seat${seats.id.length}`);
        seats.row.push(rows.length - 1);
        seats.number.push(String(seat + 1));
        seats.label.push(`${block.name} ${row + 1}-${seat + 1}`);
        seats.grade.push(section % 2);
        seats.x.push(block.x + seat);
        seats.y.push(block.y + row);
      }
    }
  });
  return {
    scheduleId: 'date',
    currency: 'KRW',
    size: { width: 100, height: 100 },
    stage: { x: 0, y: 0, width: 10, height: 2 },
    grades: [
      { grade: 'VIP', price: 150_000 },
      { grade: 'S', price: 90_000 },
    ],
    sections: blocks.map(({ name, x, y, rows: high, seatsPerRow: wide }) => ({
      name,
      x: x - 0.5,
      y: y - 0.5,
      width: wide,
      height: high,
    })),
    rows,
    seats,
  };
}

export const hall = (): Chart =>
  decodeChart(
    chartBody([
      { name: 'A', x: 1, y: 5, rows: 3, seatsPerRow: 4 },
      { name: 'B', x: 8, y: 5, rows: 3, seatsPerRow: 4 },
      { name: 'C', x: 1, y: 10, rows: 2, seatsPerRow: 5 },
    ]),
  );

export const seatWithLabel = (chart: Chart, label: string): number => chart.seats.label.indexOf(label);
