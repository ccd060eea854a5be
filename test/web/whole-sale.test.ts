import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { DATABASES, sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, PRICE } from '../support/sale.js';
import { newFan, payButton } from './fan.js';

const SECTIONS = [
  { name: 'A', rows: 4, seatsPerRow: 8, grade: 'VIP', price: 3 * PRICE },
  { name: 'B', rows: 4, seatsPerRow: 8, grade: 'R', price: PRICE },
];

const VARIANTS = [
  { language: 'ko', device: 'phone' },
  { language: 'en', device: 'desktop' },
] as const;

/** The pages are the same on both databases: screenshots and accessibility checks run on SQLite only. */
describe.each(DATABASES)('a fan buys tickets in the browser, on $name', (database) => {
  const foyer = useFoyer(database);
  const browser = useBrowser();

  it.each(VARIANTS)('in $language on a $device', async ({ language, device }) => {
    const concert = { title: 'Winter Night · 겨울밤', venue: 'Foyer Hall', description: 'One night only.' };
    const sale = await openSale(foyer.client, foyer.operator, { sections: SECTIONS, dates: 2, concert });
    const fan = await newFan(browser, { url: foyer.url, language, device });
    const { page, text } = fan;
    const inspect = async (name: string): Promise<void> => {
      if (database !== sqlite) return;
      await takeScreenshot(page, `${database.name}-${device}-${language}-${name}`);
      await expectAccessible(page, name);
    };

    await page.goto('/');
    await page.getByRole('heading', { name: concert.title }).first().waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await inspect('home');

    await page.getByRole('link', { name: concert.title }).first().click();
    await fan.link(text.concerts.join).waitFor();
    await inspect('concert');
    await fan.link(text.concerts.join).click();
    await page.getByRole('main').getByRole('link', { name: text.common.signUp, exact: true }).click();
    await inspect('sign-up');
    await fan.signUp();

    // There is a free slot: the waiting room admits the fan immediately.
    await fan.heading(text.dates.title).waitFor();
    await inspect('dates');
    await fan.chooseDate();
    await page.locator('canvas').first().waitFor();
    await inspect('seat-map');
    await fan.chooseSeats([1, 3], [1, 4]);
    await inspect('seat-list');
    await fan.holdSeats();

    // The balance is too low: top up within the page, then pay.
    await fan.button(text.checkout.topUp).waitFor();
    expect(await fan.button(payButton(text)).isDisabled()).toBe(true);
    await inspect('checkout-short');
    await fan.topUp();
    await expect.poll(() => fan.button(payButton(text)).isEnabled()).toBe(true);
    await inspect('checkout');
    await fan.pay();
    await inspect('receipt');
    await page
      .getByText(/^\d{8}-[0-9A-Z]{10}$/)
      .first()
      .waitFor();

    await fan.link(text.common.myTickets).first().click();
    await page.getByRole('heading', { name: text.myTickets.receipts }).waitFor();
    await page.getByText(concert.title).first().waitFor();
    await inspect('mine');

    const seats = await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator);
    expect(seats.body).toMatchObject({ seatsSold: 2, revenue: 6 * PRICE, done: 1 });
    expect(fan.consoleErrors).toEqual([]);
  });
});
