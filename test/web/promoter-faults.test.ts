import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { newPromoter, OPERATOR_TEXTS, SIZES } from './promoter.js';

describe('the faults of a form', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it.each(['ko', 'en'] as const)('are all listed with links to their fields (%s)', async (language) => {
    const promoter = await newPromoter(browser, foyer.url, language);
    const { page } = promoter;
    const { errors, form, policy } = OPERATOR_TEXTS[language];
    await page.goto('/operator/new');
    await page.getByLabel(form.description).fill('x'.repeat(10_001));
    await page.getByLabel(policy.holdMinutes).fill('soon');
    await promoter.button(form.addDate).click();
    await promoter.button(form.create).click();
    // Title, venue, description, two dates, time to pay, and name, grade and price of the section.
    const summary = page.getByRole('group', { name: form.errorCount(9) });
    await summary.waitFor();
    const marked = page.locator('[aria-invalid="true"]');
    expect(await marked.count()).toBe(9);
    expect(await summary.getByRole('link').count()).toBe(9);
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await summary.getByText(errors.tooLong(10_000)).waitFor();
    for (const device of ['phone', 'desktop'] as const) {
      await page.setViewportSize(SIZES[device]);
      await summary.scrollIntoViewIfNeeded();
      await takeScreenshot(page, `operator-faults-${device}-${language}`);
      await expectAccessible(page, `the faults of a form on a ${device}`);
    }
    // A link leads to its field, and a mended field leaves the list.
    await summary.getByRole('link', { name: policy.holdMinutes }).press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('7.5');
    await page.getByRole('group', { name: form.errorCount(8) }).waitFor();
    expect(await page.getByLabel(policy.holdMinutes).inputValue()).toBe('7.5');
    expect(promoter.consoleErrors).toEqual([]);
  });

  it('of the server are shown at their fields until they are mended', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    const promoter = await newPromoter(browser, foyer.url, 'en');
    const { page } = promoter;
    const { form } = OPERATOR_TEXTS.en;
    await page.route(`**/operator/concerts/${concertId}`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 400,
            contentType: 'application/problem+json',
            json: {
              code: 'INVALID_REQUEST',
              status: 400,
              faults: [
                { path: '/venue', rule: 'must be a real place' },
                { path: '/salesCloseAt', rule: 'must be later' },
                { path: '/poster', rule: 'must be smaller' },
              ],
            },
          })
        : route.fallback(),
    );
    await page.goto(`/operator/concerts/${concertId}/details`);
    await page.getByLabel(form.venue, { exact: true }).fill('Nowhere');
    await promoter.button(form.save).click();
    const summary = page.getByRole('group', { name: form.errorCount(2) });
    await summary.getByText(form.refused('must be a real place')).waitFor();
    await summary.getByText(form.refused('must be later')).waitFor();
    await page.getByText(form.refusedAt('/poster must be smaller')).waitFor();
    const venue = page.getByLabel(form.venue, { exact: true });
    expect(await venue.getAttribute('aria-invalid')).toBe('true');
    await venue.fill('Foyer Hall');
    await summary.waitFor({ state: 'detached' });
    expect(await venue.getAttribute('aria-invalid')).toBe(null);
  });

  it('in the rules of a running sale are listed, also those in closed details', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    const promoter = await newPromoter(browser, foyer.url, 'en');
    const { page } = promoter;
    const { controls, form, policy } = OPERATOR_TEXTS.en;
    await page.goto(`/operator/concerts/${concertId}`);
    await page.getByLabel(policy.maxActive).fill('many');
    await page.getByText(controls.moreRules).click();
    await page.getByLabel(policy.activeMinutes).fill('0');
    await page.getByText(controls.moreRules).click();
    await promoter.button(controls.change).click();
    const summary = page.getByRole('group', { name: form.errorCount(2) });
    await summary.getByRole('link', { name: policy.activeMinutes }).click();
    await expect
      .poll(() => page.getByLabel(policy.activeMinutes).evaluate((field) => field === document.activeElement))
      .toBe(true);
    expect(promoter.consoleErrors).toEqual([]);
  });
});
