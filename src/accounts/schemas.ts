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

export const Email = Type.String({ maxLength: EMAIL_MAX, pattern: EMAIL_PATTERN });
export const Name = Type.String({ minLength: 1, maxLength: NAME_MAX, pattern: NAME_PATTERN });

/** A password that is set, not one that is checked. */
export const NewPassword = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX });
/** No minimum length: a too short password is a wrong password, not a malformed request. */
const AnyPassword = Type.String({ maxLength: PASSWORD_MAX });

export const SignUpBody = closed({
  email: Email,
  password: NewPassword,
  name: Name,
});

export const SignInBody = closed({ email: Email, password: AnyPassword });

export const PasswordBody = closed({ currentPassword: AnyPassword, newPassword: NewPassword });

export const UserAnswer = closed({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  role: Type.Union([Type.Literal('CUSTOMER'), Type.Literal('OPERATOR')]),
  emailVerified: Type.Boolean(),
});

export const SessionAnswer = closed({ user: UserAnswer, accessToken: Type.String(), expiresAt: Timestamp });
