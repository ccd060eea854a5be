import { Type } from 'typebox';
import {
  EMAIL_MAX,
  EMAIL_PATTERN,
  NAME_MAX,
  NAME_PATTERN,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from '../kernel/credentials.js';
import { closed, Id, Timestamp } from '../platform/web/index.js';

const Email = Type.String({ maxLength: EMAIL_MAX, pattern: EMAIL_PATTERN });
const Name = Type.String({ minLength: 1, maxLength: NAME_MAX, pattern: NAME_PATTERN });

export const SignUpBody = closed({
  email: Email,
  password: Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX }),
  name: Name,
});

/** No minimum length: a too short password is a wrong password, not a malformed request. */
export const SignInBody = closed({ email: Email, password: Type.String({ maxLength: PASSWORD_MAX }) });

export const UserAnswer = closed({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  role: Type.Union([Type.Literal('CUSTOMER'), Type.Literal('OPERATOR')]),
});

export const SessionAnswer = closed({ user: UserAnswer, accessToken: Type.String(), expiresAt: Timestamp });
