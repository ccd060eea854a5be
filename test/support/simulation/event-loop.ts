/** Waits for this many iterations of the event loop. */
export async function waitTicks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve));
}
