const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Where a text stops being JSON. Browsers do not always say, and a promoter has to find it in a long file. */
function brokenAt(text: string): number {
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

/** The line, from 1, in which a text stops being JSON; null when it is nested too deeply to tell. */
export function brokenLine(text: string): number | null {
  try {
    return text.slice(0, brokenAt(text)).split('\n').length;
  } catch {
    return null;
  }
}
