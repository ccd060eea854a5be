import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SERIOUS: ReadonlySet<string | null | undefined> = new Set(['serious', 'critical']);

/** Expects no serious or critical axe violation. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Evaluated instead of added as a script tag: the page's CSP blocks foreign scripts.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  const serious = violations
    .filter(({ impact }) => SERIOUS.has(impact))
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  expect(serious, `axe violations on ${what}`).toEqual([]);
}
