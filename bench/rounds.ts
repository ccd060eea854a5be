import { Absent, type Bench, type CaseGroup } from './bench.js';
import { formatFigure, mainFigureOf } from './report/figures.js';
import type { Row } from './result.js';

export type Say = (text: string) => void;

/**
 * Round after round, every case with its references beside it: what changes on the machine meanwhile changes for all of
 * them. A case that fails is noted, and the others go on.
 */
export async function runRounds(
  bench: Bench,
  groups: readonly CaseGroup[],
  rounds: number,
  say: Say,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (const { id, title } of groups.flatMap((group) => group.rows)) {
    rows.set(id, { id, title, rounds: [], faults: [] });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, group] of groups.entries()) {
      say(`round ${round}/${rounds}, case ${index + 1}/${groups.length}: ${group.name}`);
      await runGroup(bench, group, rows, say);
    }
  }
  return [...rows.values()];
}

async function runGroup(
  bench: Bench,
  group: CaseGroup,
  rows: ReadonlyMap<string, Row>,
  say: Say,
): Promise<void> {
  const own = group.rows.flatMap(({ id }) => rows.get(id) ?? []);
  try {
    await group.run(bench, (rowId, round) => {
      const row = rows.get(rowId);
      if (!row) throw new Error(`there is no row ${rowId}`);
      row.rounds.push(round);
      const main = mainFigureOf({ ...row, rounds: [round] });
      if (main) say(`  ${row.title}: ${formatFigure(main.name, main.spread.median)}`);
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`  ${group.name} ${error instanceof Absent ? 'is left out' : 'FAILED'}: ${why}`);
    for (const row of own) {
      if (error instanceof Absent) row.absent = why;
      else row.faults.push(why);
    }
  }
}
