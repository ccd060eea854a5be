type Cell = string | number;

/** Quotes a cell where needed. A leading apostrophe stops spreadsheets from running text as a formula. */
function cell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`;
