import type { RouteOptions } from 'fastify';
import { FAULTS_MAX } from '../../kernel/fault-list.js';
import type { Fault } from '../../kernel/refusal.js';
import { isUnknownMember, toFaults } from './validation-messages.js';

/**
 * The server's validator stops at the first error. Only a body with at most so many values is validated again to find all of
 * its faults: that takes about 5 µs per value, and anyone can send such a body, before any rate limit.
 */
const VALUES_MAX = 100;
/** A new concert with its dates and sections. Only operators get as far as a validation of their bodies. */
const OPERATOR_VALUES_MAX = 2000;

/** All faults of a body that the schema refuses, beginning with the one that the validator has found. */
export async function findBodyFaults(
  { schema, config }: Pick<RouteOptions, 'schema' | 'config'>,
  body: unknown,
  first: Fault,
): Promise<Fault[]> {
  const bodySchema: unknown = schema?.body;
  const valuesMax = config?.credential === 'operator' ? OPERATOR_VALUES_MAX : VALUES_MAX;
  if (typeof bodySchema !== 'object' || bodySchema === null || !hasAtMost(valuesMax, body)) return [first];
  // Loaded on demand, because a server starts 10 % faster without it.
  const [{ Value }, { Settings }] = await Promise.all([import('typebox/value'), import('typebox/system')]);
  // An unknown member is reported twice.
  Settings.Set({ maxErrors: 2 * OPERATOR_VALUES_MAX });
  const others = toFaults(Value.Errors(bodySchema, body)).filter((fault) => !isSameFault(fault, first));
  return [first, ...others].slice(0, FAULTS_MAX);
}

/** Both validators report one fault per value, but may word it differently. An object may have several unknown members. */
const isSameFault = (fault: Fault, first: Fault): boolean =>
  fault.path === first.path &&
  (fault.rule === first.rule || !(isUnknownMember(fault) || isUnknownMember(first)));

/** Iterative, because it may be nested deeper than the call stack. */
function hasAtMost(valuesMax: number, body: unknown): boolean {
  const pending = [body];
  for (let count = 0; pending.length > 0; count += 1) {
    if (count + pending.length > valuesMax) return false;
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    // No spread: an array may have more elements than a call can have arguments.
    for (const member of Object.values(value)) pending.push(member);
  }
  return true;
}
