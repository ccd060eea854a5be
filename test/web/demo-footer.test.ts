import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer, useOwnFoyer } from '../support/foyer.js';
import { newFan } from './fan.js';

describe('the footer of the demo', () => {
  const foyer = useOwnFoyer(sqlite, { FOYER_DEMO: '1' });
  const usual = useFoyer(sqlite);
  const browser = useBrowser();

  it.each([
    { language: 'ko', device: 'phone' },
    { language: 'en', device: 'desktop' },
  ] as const)('leads to the promoter’s part and the API reference in $language', async (variant) => {
    const fan = await newFan(browser, { url: foyer.url, ...variant });
    const { page, text } = fan;
    await page.goto('/');
    await page.locator('.concert-card').first().waitFor();
    await fan.link(text.common.forPromoters).scrollIntoViewIfNeeded();
    await takeScreenshot(page, `demo-home-${variant.device}-${variant.language}`, true);
    await expectAccessible(page, 'the home page of the demo');
    expect(await fan.link(text.common.apiReference).getAttribute('href')).toBe('/docs');
    await fan.link(text.common.forPromoters).click();
    await page.waitForURL('**/operator');
    expect(fan.consoleErrors).toEqual([]);
  });

  it('is not shown by an installation that sells', async () => {
    const fan = await newFan(browser, { url: usual.url, language: 'en' });
    await fan.page.goto('/');
    await fan.heading(fan.text.common.tagline).waitFor();
    expect(await fan.link(fan.text.common.forPromoters).count()).toBe(0);
  });
});
