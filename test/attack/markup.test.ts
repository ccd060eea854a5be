import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, PRICE } from '../support/sale.js';
import { OPERATOR } from '../support/server.js';
import { newFan } from '../web/fan.js';

/** Text that would become elements if a page inserted it as markup. */
const withMarkup = (what: string): string =>
  `<b data-injected>${what}</b><img data-injected src=x onerror=alert(1)>`;

const CONCERT = {
  title: withMarkup('title'),
  venue: withMarkup('venue'),
  description: withMarkup('description'),
};
/** A section name may be no longer than this. */
const SECTION = '<img data-injected src=x onerror=alert(1)>';
const SECTIONS = [{ name: SECTION, rows: 2, seatsPerRow: 4, grade: 'R', price: PRICE }];

/** The page shows these texts, and no element was created from them. */
async function expectShownAsText(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor({ state: 'attached' });
  expect(await page.locator('[data-injected]').count(), page.url()).toBe(0);
}

describe('markup in texts of users', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('is shown as text on every page of fans and promoters', async () => {
    const { client, operator, url } = foyer;
    const sale = await openSale(client, operator, { sections: SECTIONS, concert: CONCERT });
    const fan = await newFan(browser, { url: url, language: 'en' });
    const { page, text } = fan;
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });

    await page.goto('/');
    await expectShownAsText(page, CONCERT.title);
    await page.goto(`/concerts/${sale.concertId}`);
    await expectShownAsText(page, CONCERT.title, CONCERT.venue, CONCERT.description);
    await fan.link(text.concerts.join).click();
    await page.getByRole('main').getByRole('link', { name: text.common.signUp, exact: true }).click();
    await page.getByLabel(text.account.name, { exact: true }).fill(withMarkup('fan'));
    await page.getByLabel(text.account.email, { exact: true }).fill(fan.email);
    await page.getByLabel(text.account.password, { exact: true }).fill('fan-password');
    await page.getByRole('main').getByRole('button', { name: text.common.signUp, exact: true }).click();
    await fan.chooseDate();
    await fan.chooseSeats([1, 1]);
    await expectShownAsText(page, SECTION);
    await fan.holdSeats();
    await expectShownAsText(page, SECTION);
    await fan.topUp();
    await page.getByText(text.checkout.balanceAfter).waitFor();
    await fan.pay();
    await expectShownAsText(page, CONCERT.title, CONCERT.venue, SECTION);
    await page.goto('/mine');
    await expectShownAsText(page, CONCERT.title);

    const promoter = await newFan(browser, { url: url, language: 'en' });
    await promoter.page.goto('/sign-in');
    await promoter.page.getByLabel(text.account.email, { exact: true }).fill(OPERATOR.email);
    await promoter.page.getByLabel(text.account.password, { exact: true }).fill(OPERATOR.password);
    await promoter.page
      .getByRole('main')
      .getByRole('button', { name: text.common.signIn, exact: true })
      .click();
    await promoter.page.waitForURL((url) => url.pathname !== '/sign-in');
    await promoter.page.goto('/operator');
    await expectShownAsText(promoter.page, CONCERT.title);
    await promoter.page.goto(`/operator/concerts/${sale.concertId}`);
    await expectShownAsText(promoter.page, CONCERT.title);
    await promoter.page.goto(`/operator/concerts/${sale.concertId}/payments`);
    await expectShownAsText(promoter.page, withMarkup('fan'));
    expect(dialogs).toEqual([]);
    expect(fan.consoleErrors).toEqual([]);
  });
});
