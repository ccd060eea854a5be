import type { AuditEntry, Policy } from '../desk.js';
import { sayRule } from '../form/policy-draft.js';
import type { OperatorText } from '../texts/index.js';

interface Words {
  readonly text: OperatorText;
  readonly number: (value: number) => string;
  readonly date: (at: string) => string;
  readonly money: (amount: number) => string;
}

const isChange = (value: unknown): value is { readonly from: unknown; readonly to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

function sayValue(field: string, value: unknown, { text, number, date }: Words): string {
  if (field === 'salesOpenAt' || field === 'salesCloseAt')
    return typeof value === 'string' ? date(value) : text.audit.nothing;
  if (field === 'title' || field === 'venue')
    return typeof value === 'string' ? `“${value}”` : text.audit.nothing;
  return sayRule(field as keyof Policy, value, text, number);
}

function sayChange(who: string, field: string, value: unknown, words: Words): string {
  const { audit } = words.text;
  const fields: Readonly<Record<string, string>> = audit.fields;
  const name = Object.hasOwn(fields, field) ? (fields[field] ?? field) : field;
  if (!isChange(value) || !Object.hasOwn(fields, field)) return audit.somethingElse(who, name);
  const { from, to } = value;
  if (field === 'paused') return to === true ? audit.paused(who) : audit.resumed(who);
  if (field === 'description') return audit.rewrote(who, name);
  return audit.changed(who, name, sayValue(field, from, words), sayValue(field, to, words));
}

/** What one entry tells, a sentence for each thing that was changed. */
export function sentencesOf({ actor, action, details }: AuditEntry, words: Words): string[] {
  const { audit } = words.text;
  const who = actor === null ? audit.commandLine : actor.email;
  switch (action) {
    case 'CONCERT_CREATED':
      return [audit.created(who)];
    case 'CONCERT_DUPLICATED':
      return [audit.duplicated(who)];
    case 'PAYMENT_REFUNDED': {
      const { amount } = details;
      return [audit.refunded(who, typeof amount === 'number' ? words.money(amount) : '')];
    }
    case 'CONCERT_EDITED':
    case 'POLICY_CHANGED':
      return Object.entries(details).map(([field, value]) => sayChange(who, field, value, words));
  }
}
