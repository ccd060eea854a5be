import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { newFan, payButton } from './fan.js';

/** As often as the pages ask by themselves before they say that nobody answers. */
const TRIES = 4;

/** The server does the work, and its answer is lost on the way, as often as the pages ask by themselves. */
async function loseAnswers(page: Page, path: string): Promise<void> {
  let lost = 0;
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() !== 'POST' || lost === TRIES) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
}

describe('a fan with a broken connection', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('holds, tops up and pays once, although every answer is lost', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url, language: 'en', device: 'phone' });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 1]);
    await loseAnswers(page, '/reservations');
    await fan.button(text.seats.hold).click();
    await page.getByText(text.network.offline).waitFor();
    // The seat shows as held, by nobody but this fan: it stays chosen, and the next press goes on.
    await fan.holdSeats();

    await loseAnswers(page, '/wallet/charges');
    await fan.topUp();
    await page.getByText(text.network.offline).waitFor();
    await fan.topUp();
    await page.getByText(text.checkout.after).waitFor();

    await loseAnswers(page, '/payments');
    await fan.button(payButton(text)).click();
    const again = fan.button(payButton(text)).or(fan.button(text.checkout.toReceipt));
    await page.getByText(text.network.offline).or(page.getByText(text.checkout.confirmed)).first().waitFor();
    await again.click();
    await fan.heading(text.receipt.title).waitFor();

    await fan.link(text.common.myTickets).first().click();
    const movements = (type: string) => page.getByRole('row', { name: new RegExp(`^${type}`) });
    await movements(text.myTickets.entryTypes.PAYMENT).first().waitFor();
    expect(await movements(text.myTickets.entryTypes.PAYMENT).count()).toBe(1);
    expect(await movements(text.myTickets.entryTypes.CHARGE).count()).toBe(1);
  });

  it('is told at once, and goes on where they were when it is back', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { paused: true } });
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    const { page, text, context } = fan;
    await fan.join(sale);
    await page.getByText(text.waiting.live, { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText(text.waiting.lost).waitFor();
    await context.setOffline(false);
    await page.getByText(text.waiting.live, { exact: true }).waitFor();
    expect(await page.getByText(text.waiting.lost).count()).toBe(0);
  });

  it('is not put in line by an address alone', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    const { page, text } = fan;
    await page.goto('/sign-up');
    await fan.signUp();
    await fan.link(text.common.myTickets).waitFor();
    await page.goto(`/concerts/${sale.concertId}/dates`);
    await fan.link(text.concerts.join).waitFor();
    const stats = await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator);
    expect(stats.body).toMatchObject({ waiting: 0, active: 0 });
  });
});
