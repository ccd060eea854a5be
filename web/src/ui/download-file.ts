const URL_LIFETIME_MS = 10_000;

/** Saves a file through the browser's downloads. */
export function downloadFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(address), URL_LIFETIME_MS);
}
