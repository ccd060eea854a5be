import { FAULTS_MAX } from '../../kernel/fault-list.js';
import type { Fault } from '../../kernel/refusal.js';
import { toFaults } from './validation-messages.js';

/**
 * The server's validator stops at the first error, so that a hostile body costs no more than a valid one. Only a body with
 * at most so many values is validated again to find all of its faults: that takes about 5 µs per value.
 */
const VALUES_MAX = 2000;

/** All faults of a body that the schema refuses, beginning with the one that the validator has found. */
export async function findBodyFaults(schema: unknown, body: unknown, first: Fault): Promise<Fault[]> {
  if (typeof schema !== 'object' || schema === null || !isSmall(body)) return [first];
  // Loaded on demand, because a server starts 10 % faster without it.
  const [{ Value }, { Settings }] = await Promise.all([import('typebox/value'), import('typebox/system')]);
  Settings.Set({ maxErrors: FAULTS_MAX });
  const others = toFaults(Value.Errors(schema, body)).filter(
    ({ path, rule }) => path !== first.path || (path === '' && rule !== first.rule),
  );
  return [first, ...others].slice(0, FAULTS_MAX);
}

/** Whether a body has at most `VALUES_MAX` values. Iterative, because it may be nested deeper than the call stack. */
function isSmall(body: unknown): boolean {
  const pending = [body];
  for (let count = 0; pending.length > 0; count += 1) {
    if (count + pending.length > VALUES_MAX) return false;
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    // No spread: an array may have more elements than a call can have arguments.
    for (const member of Object.values(value)) pending.push(member);
  }
  return true;
}
