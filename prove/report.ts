import { type Call, OPERATOR_INDEX } from './call-log.js';
import type { Verdict, Violation } from './check/index.js';

const VIOLATIONS_SHOWN_MAX = 3;
const CALLS_SHOWN_MAX = 12;

const formatTime = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

function formatCall(call: Call): string {
  const { key, subjectIds, body, operation } = call.request;
  const { place, reservation, entry, payment, refund, balance } = call.observed;
  const subject = subjectIds ? ` of ${subjectIds.join(' ')}` : body ? ` ${JSON.stringify(body)}` : '';
  const placeWithoutToken = place && { number: place.number, status: place.status, rank: place.rank };
  const facts = [placeWithoutToken, reservation, entry, payment, refund, balance]
    .filter((fact) => fact !== undefined)
    .map((fact) => JSON.stringify(fact));
  const caller = call.fan === OPERATOR_INDEX ? 'operator' : `fan ${call.fan}`;
  const response = [call.status || 'no response', call.code, call.reason].filter(Boolean).join(' ');
  return (
    `    ${formatTime(call.startMs)} – ${formatTime(call.endMs)}  #${call.number} ${caller} at process ${call.processIndex}: ` +
    `${operation}${subject}${key === undefined ? '' : ` key ${key}`} → ${call.outcome} (${response}) ${facts.join(' ')}`
  );
}

const formatViolation = ({ description, calls }: Violation): string =>
  [
    `  ${description}`,
    ...[...calls]
      .sort((a, b) => a.startMs - b.startMs)
      .slice(0, CALLS_SHOWN_MAX)
      .map(formatCall),
  ].join('\n');

function formatResult({ checked, violations }: Verdict): string {
  if (violations.length > 0) return `VIOLATED ${violations.length} times`;
  return checked > 0 ? `held, ${checked} checks` : 'NOT CHECKED';
}

/** A table of all invariants, then the first violations of each with the calls that show them. */
export function formatReport(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const table = verdicts.map((verdict, index) => {
    const { name, description } = verdict;
    return `${String(index + 1).padStart(2)} ${name.padEnd(width)}  ${formatResult(verdict).padEnd(24)} ${description}`;
  });
  const violated = verdicts
    .filter(({ violations }) => violations.length > 0)
    .map(
      ({ name, violations }) =>
        `${name}:\n${violations.slice(0, VIOLATIONS_SHOWN_MAX).map(formatViolation).join('\n')}`,
    );
  return [...table, ...violated].join('\n');
}
