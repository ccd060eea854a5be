/** The part of a URL that may be logged and compared: a query string can carry anything. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
