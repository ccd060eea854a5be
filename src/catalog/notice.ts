import { type Static, Type } from 'typebox';
import { assert } from '../kernel/assert.js';
import { closed, multiLine, Nullable } from '../platform/web/index.js';

const NOTICE_MAX_LENGTH = 300;
const Text = multiLine(NOTICE_MAX_LENGTH);
const ByLanguage = Type.Partial(closed({ ko: Text, en: Text }), {
  additionalProperties: false,
  minProperties: 1,
});

/** The promoter's message to waiting fans: one text for everybody, or one for each language. */
export type Notice = string | Static<typeof ByLanguage>;

export const NullableNotice = Type.Unsafe<Notice | null>({
  anyOf: [Nullable(Text), ByLanguage],
  description: "The promoter's message to waiting fans: one text, or one for each language",
});

/** A notice as the database stores it. */
export const noticeToJson = (notice: Notice | null): string | null =>
  notice === null ? null : JSON.stringify(notice);

export function noticeFromJson(stored: string | null): Notice | null {
  if (stored === null) return null;
  const notice: unknown = JSON.parse(stored);
  if (typeof notice === 'string') return notice;
  assert(typeof notice === 'object' && notice !== null, 'a stored notice is a text or an object');
  const { ko, en }: { ko?: unknown; en?: unknown } = notice;
  return { ...(typeof ko === 'string' && { ko }), ...(typeof en === 'string' && { en }) };
}
