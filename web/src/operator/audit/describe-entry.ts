import type { AuditEntry, Policy } from '../operator-api.js';
import { formatRule } from '../form/policy/policy-draft.js';
import type { OperatorText } from '../texts/index.js';

interface Formatters {
  readonly text: OperatorText;
  readonly number: (value: number) => string;
  readonly duration: (ms: number) => string;
  readonly date: (at: string) => string;
  readonly money: (amount: number) => string;
}

const isChange = (value: unknown): value is { readonly from: unknown; readonly to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

function formatValue(field: string, value: unknown, formatters: Formatters): string {
  const { text, date, number } = formatters;
  if (field === 'salesOpenAt' || field === 'salesCloseAt')
    return typeof value === 'string' ? date(value) : text.audit.nothing;
  if (field === 'runningMinutes' || field === 'minAge')
    return typeof value === 'number' ? number(value) : text.audit.nothing;
  if (field === 'title' || field === 'venue' || field === 'timeZone')
    return typeof value === 'string' ? `“${value}”` : text.audit.nothing;
  return formatRule(field as keyof Policy, value, text, formatters);
}

function describeChange(who: string, field: string, value: unknown, formatters: Formatters): string {
  const { audit } = formatters.text;
  const fields: Readonly<Record<string, string>> = audit.fields;
  const name = Object.hasOwn(fields, field) ? (fields[field] ?? field) : field;
  if (!isChange(value) || !Object.hasOwn(fields, field)) return audit.somethingElse(who, name);
  const { from, to } = value;
  if (field === 'paused') return to === true ? audit.paused(who) : audit.resumed(who);
  if (field === 'poster') return to === null ? audit.removedPoster(who) : audit.addedPoster(who);
  if (field === 'description' || field === 'refundRules') return audit.rewrote(who, name);
  return audit.changed(who, name, formatValue(field, from, formatters), formatValue(field, to, formatters));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function listName({ list }: AuditEntry['details'], { text: { general, live } }: Formatters): string {
  if (list === 'seats') return live.seats;
  return list === 'payments' ? general.payments : general.reservations;
}

/** An audit entry in sentences, one for each changed field. */
export function describeEntry({ actor, action, details }: AuditEntry, formatters: Formatters): string[] {
  const { audit } = formatters.text;
  const who = actor === null ? audit.commandLine : actor.email;
  switch (action) {
    case 'CONCERT_CREATED':
      return [audit.created(who)];
    case 'CONCERT_PUBLISHED':
      return [audit.published(who)];
    case 'CONCERT_DUPLICATED':
      return [audit.duplicated(who)];
    case 'PAYMENT_REFUNDED': {
      const { amount } = details;
      return [audit.refunded(who, typeof amount === 'number' ? formatters.money(amount) : '')];
    }
    case 'SALES_SEARCHED':
      return [audit.searched(who, listName(details, formatters), textOf(details['q']))];
    case 'SALES_EXPORTED':
      return [audit.exported(who, listName(details, formatters), textOf(details['q']))];
    case 'OPERATOR_SIGNED_IN':
      return [audit.signedIn(who, textOf(details['client']))];
    case 'OPERATOR_SIGN_IN_FAILED':
      return [audit.signInFailed(who, textOf(details['client']))];
    case 'OPERATOR_INVITED':
      return [audit.invited(who, textOf(details['email']))];
    case 'OPERATOR_ADDED':
      return [audit.added(who, textOf(details['email']))];
    case 'OPERATOR_REMOVED':
      return [audit.removed(who, textOf(details['email']))];
    case 'PERSONAL_DATA_EXPORTED':
      return [audit.personalDataExported(who)];
    case 'ACCOUNT_ERASED':
      return [audit.accountErased(who)];
    case 'CONCERT_EDITED':
    case 'POLICY_CHANGED':
      return Object.entries(details).map(([field, value]) => describeChange(who, field, value, formatters));
  }
}
