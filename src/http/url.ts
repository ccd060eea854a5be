/** A URL without its query string, which may contain secrets and must not be logged. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';
