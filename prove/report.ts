import type { Verdict, Violation } from './check/index.js';
import type { Call } from './record.js';

const SHOWN_MAX = 3;
const CALLS_SHOWN_MAX = 12;

const time = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

function line({ number, fan, door, wish, startMs, endMs, outcome, status, code, reason, saw }: Call): string {
  const { key, ids, body } = wish;
  const about = ids ? ` of ${ids.join(' ')}` : body ? ` ${JSON.stringify(body)}` : '';
  const { place, reservation, entry, payment, balance } = saw;
  const seen = place ? { number: place.number, status: place.status, rank: place.rank } : undefined;
  const facts = [seen, reservation, entry, payment, balance].filter((fact) => fact !== undefined);
  const why = [status || 'no answer', code, reason].filter(Boolean).join(' ');
  return (
    `    ${time(startMs)} – ${time(endMs)}  #${number} fan ${fan} at process ${door}: ${wish.what}${about}` +
    `${key === undefined ? '' : ` key ${key}`} → ${outcome} (${why}) ${facts.map((fact) => JSON.stringify(fact)).join(' ')}`
  );
}

/** One violation with the piece of history that shows it. */
const show = ({ says, calls }: Violation): string =>
  [
    `  ${says}`,
    ...[...calls]
      .sort((a, b) => a.startMs - b.startMs)
      .slice(0, CALLS_SHOWN_MAX)
      .map(line),
  ].join('\n');

/** Every promise, whether it was kept, and of those that were not the first few pieces of history. */
export function report(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const table = verdicts.map(({ name, says, checked, violations }, index) => {
    const came =
      violations.length > 0
        ? `BROKEN ${violations.length} times`
        : checked > 0
          ? `held, ${checked} looked at`
          : 'NOTHING TO LOOK AT';
    return `${String(index + 1).padStart(2)} ${name.padEnd(width)}  ${came.padEnd(24)} ${says}`;
  });
  const broken = verdicts
    .filter(({ violations }) => violations.length > 0)
    .map(({ name, violations }) => `${name}:\n${violations.slice(0, SHOWN_MAX).map(show).join('\n')}`);
  return [...table, ...broken].join('\n');
}
