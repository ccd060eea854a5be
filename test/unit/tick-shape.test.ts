import { expect, it } from 'vitest';
import { runScript } from '../support/programs.js';

/** Ticks after a few garbage collections, as a multiple of what they cost before. */
const SCRIPT = `
import { keepTickShape } from './dist/modules/platform/runtime/index.js';
if (process.argv[1] === 'kept') keepTickShape();
const nothing = () => undefined;
async function tickNs() {
  let bestNs = Infinity;
  for (let round = 0; round < 40; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < 10000; i++) process.nextTick(nothing, 1, 2);
    bestNs = Math.min(bestNs, Number(process.hrtime.bigint() - start) / 10000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return bestNs;
}
const before = await tickNs();
await new Promise((resolve) => setTimeout(resolve, 10));
for (let i = 0; i < 8; i++) globalThis.gc();
process.stdout.write(String((await tickNs()) / before));
process.exit(0);
`;

it('keeps ticks as cheap after garbage collections as they were before', async () => {
  const { stdout, stderr } = await runScript(SCRIPT, 'kept');
  expect(stderr).toBe('');
  // Eight times as dear without it, on Node 20.
  expect(Number(stdout)).toBeLessThan(3);
});
