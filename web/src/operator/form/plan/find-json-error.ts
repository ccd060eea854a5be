const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The index of the first JSON syntax error. `JSON.parse` does not report it in every browser. */
function indexOfJsonError(text: string): number {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const takeMark = (mark: string): boolean => {
    take(SPACE);
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const members = (end: string, member: () => boolean): boolean => {
    if (takeMark(end)) return true;
    do if (!member()) return false;
    while (takeMark(','));
    return takeMark(end);
  };
  const name = (): boolean => {
    take(SPACE);
    return text[at] === '"' && take(SCALAR) !== '';
  };
  function value(): boolean {
    if (takeMark('{')) return members('}', () => name() && takeMark(':') && value());
    if (takeMark('[')) return members(']', value);
    return take(SCALAR) !== '';
  }
  value();
  take(SPACE);
  return at;
}

/** The line, from 1, of the first JSON syntax error; null if the text is nested too deeply to find it. */
export function lineOfJsonError(text: string): number | null {
  try {
    return text.slice(0, indexOfJsonError(text)).split('\n').length;
  } catch {
    return null;
  }
}
