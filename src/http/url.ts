/** A URL without its query string, which may contain secrets and must not be logged. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
