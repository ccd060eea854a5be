/** A quick check for typing errors; the server decides. */
export const looksLikeEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text.trim());
