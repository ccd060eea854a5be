/** Rules for sign-ups and for the operator account in the settings. JSON Schema compiles patterns with the `u` flag. */
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
export const NAME_MAX = 100;
/** The memory of one argon2id hash. OWASP recommends 19 MiB with two passes and one thread. */
export const PASSWORD_MEMORY_MIB_DEFAULT = 19;
/** For tests only. */
export const PASSWORD_MEMORY_MIB_MIN = 8;
export const PASSWORD_MEMORY_MIB_MAX = 256;

const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** The rule of the browser's e-mail input, so that page and server agree. */
export const EMAIL_PATTERN = `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*$`;
/** At least one visible character, no control characters, no lone surrogates (databases cannot store them). */
export const NAME_PATTERN = '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]+$';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
/** Any characters. Length in code points, as in JSON Schema. */
const PASSWORD = new RegExp(`^.{${PASSWORD_MIN},${PASSWORD_MAX}}$`, 'su');

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && EMAIL.test(text);

export const isPassword = (text: string): boolean => PASSWORD.test(text);

/** Addresses that differ only in case are one account. */
export const emailKeyOf = (email: string): string => email.toLowerCase();
