/** What a sign-up and the operator's settings may say; patterns are written for the `u` flag, as JSON Schema has it. */
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
export const NAME_MAX = 100;

const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** The rule of a browser's own e-mail field, so that a page and the server never disagree. */
export const EMAIL_PATTERN = `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*$`;
/** Something visible, no control characters, and no half of a surrogate pair: no database would give that back. */
export const NAME_PATTERN = '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]+$';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
/** Any characters, counted as JSON Schema counts them: in code points. */
const PASSWORD = new RegExp(`^.{${PASSWORD_MIN},${PASSWORD_MAX}}$`, 'su');

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && EMAIL.test(text);

export const isPassword = (text: string): boolean => PASSWORD.test(text);

/** Two spellings of one address are one account. */
export const emailKeyOf = (email: string): string => email.toLowerCase();
