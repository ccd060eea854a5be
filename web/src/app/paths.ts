/** The parameters of a path that matches a pattern such as `/concerts/:id`; undefined if it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
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

/** Where to go after signing in: only paths of this site, so that a crafted link cannot redirect elsewhere. */
export function safeRedirect(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}

export const signInPath = (next: string): string =>
  next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
