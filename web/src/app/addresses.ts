/** Matches `/concerts/:id`; undefined when the path is another one. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const found = path.replace(/(?<=.)\/$/, '').split('/');
  if (wanted.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = found[index] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decodeSafely(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decodeSafely(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Addresses within these pages only: nobody is led elsewhere by a link to the sign-in. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}

export const signInAddress = (next: string): string =>
  next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
