/** Parses minutes such as `5` or `1.5` into whole seconds; undefined if it is not such a number. */
export const parseMinutes = (text: string): number | undefined =>
  /^\d{1,6}(\.\d{1,2})?$/.test(text.trim()) ? Math.round(Number(text) * 60) : undefined;
