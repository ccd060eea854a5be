import { type BenchmarkCase, type CaseContext, CaseSkipped } from '../cases/case.js';
import { formatFigure, mainFigure } from '../report/format-figure.js';
import type { Row } from '../result.js';

export type Log = (text: string) => void;

/**
 * Runs all cases once per round, rather than each case several times in succession, so that slow changes of the machine
 * affect all cases alike. A case that fails is recorded, and the others still run.
 */
export async function runRounds(
  context: CaseContext,
  cases: readonly BenchmarkCase[],
  rounds: number,
  log: Log,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (const { id, title } of cases.flatMap((each) => each.rows)) {
    rows.set(id, { id, title, rounds: [], faults: [] });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, benchmarkCase] of cases.entries()) {
      log(`round ${round}/${rounds}, case ${index + 1}/${cases.length}: ${benchmarkCase.name}`);
      await runCase(context, benchmarkCase, rows, log);
    }
  }
  return [...rows.values()];
}

async function runCase(
  context: CaseContext,
  benchmarkCase: BenchmarkCase,
  rows: ReadonlyMap<string, Row>,
  log: Log,
): Promise<void> {
  try {
    await benchmarkCase.run(context, (rowId, round) => {
      const row = rows.get(rowId);
      if (!row) throw new Error(`unknown row ${rowId}`);
      row.rounds.push(round);
      const main = mainFigure({ ...row, rounds: [round] });
      if (main) log(`  ${row.title}: ${formatFigure(main.name, main.spread.median)}`);
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isSkipped = error instanceof CaseSkipped;
    log(`  ${benchmarkCase.name} ${isSkipped ? 'skipped' : 'FAILED'}: ${message}`);
    for (const row of benchmarkCase.rows.flatMap(({ id }) => rows.get(id) ?? [])) {
      if (isSkipped) row.absent = message;
      else row.faults.push(message);
    }
  }
}
