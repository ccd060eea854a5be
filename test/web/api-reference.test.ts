import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Device, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { signUpFan } from '../support/sale.js';

const operations = (page: Page) => page.locator('.opblock');
const search = (page: Page) => page.getByPlaceholder('Search paths, fields and error codes');

describe('the API reference', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  async function open(device: Device) {
    const visitor = await browser.visit({ url: foyer.url, language: 'en', device });
    const requested: string[] = [];
    visitor.page.on('request', (request) => requested.push(request.url()));
    await visitor.page.goto('/docs');
    await search(visitor.page).waitFor();
    return { ...visitor, requested };
  }

  it.each(['phone', 'desktop'] as const)(
    'shows every operation on a %s and requests nothing from another origin',
    async (device) => {
      const { page, consoleErrors, requested } = await open(device);
      const { paths } = await (await fetch(`${foyer.url}/openapi.json`)).json();
      const count = Object.values<object>(paths).flatMap(Object.keys).length;
      await expect.poll(() => operations(page).count()).toBe(count);
      await takeScreenshot(page, `api-reference-${device}`);
      await operations(page).first().getByRole('button').first().click();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(page.viewportSize()?.width);
      expect(requested.length).toBeGreaterThan(4);
      expect(new Set(requested.map((url) => new URL(url).origin))).toEqual(new Set([foyer.url]));
      // A violation of the Content-Security-Policy is logged as an error.
      expect(consoleErrors).toEqual([]);
    },
  );

  it('finds operations by path, by field and by error code', async () => {
    const { page } = await open('desktop');
    for (const [phrase, path] of [
      ['wallet/charges', '/api/v1/wallet/charges'],
      ['password', '/api/v1/sessions'],
      ['not_enough_balance', '/api/v1/payments'],
    ] as const) {
      const all = await operations(page).count();
      await search(page).fill(phrase);
      await expect.poll(() => operations(page).count()).toBeLessThan(all);
      await operations(page)
        .filter({ has: page.locator(`[data-path="${path}"]`) })
        .first()
        .waitFor();
      await search(page).fill('');
      await expect.poll(() => operations(page).count()).toBe(all);
    }
    await search(page).fill('no operation has this text');
    await expect.poll(() => operations(page).count()).toBe(0);
  });

  it('calls the server with the token that was entered, and stores it nowhere', async () => {
    const { accessToken } = await signUpFan(foyer.client);
    const { body: me } = await foyer.client.get('/users/me', accessToken);
    const { page, consoleErrors } = await open('desktop');
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.auth-container').filter({ hasText: 'accessToken' });
    await dialog.getByRole('textbox').fill(accessToken);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const operation = page.locator('#operations-Accounts-getUsersMe');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response');
    await expect.poll(() => answer.innerText()).toContain(me.email);
    expect(await answer.locator('.response-col_status').innerText()).toContain('200');
    expect(consoleErrors).toEqual([]);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).not.toContain(accessToken);
  });
});
