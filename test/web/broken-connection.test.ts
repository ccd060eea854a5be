import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { newFan, payButton } from './fan.js';

/** How often the pages send a request before they report a connection error. */
const ATTEMPTS = 4;

/** Lets the server process each attempt of a POST, but drops its responses until the pages give up. */
async function dropResponses(page: Page, path: string): Promise<void> {
  let lost = 0;
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() !== 'POST' || lost === ATTEMPTS) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
}

describe('a fan with a broken connection', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('holds, tops up and pays exactly once although responses are lost', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url, language: 'en', device: 'phone' });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 1]);
    await dropResponses(page, '/reservations');
    await fan.button(text.seats.hold).click();
    await page.getByText(text.network.offline).waitFor();
    // The seat shows as held because this fan holds it: it stays chosen, and the next press gets the reservation.
    await fan.holdSeats();

    await dropResponses(page, '/wallet/charges');
    await fan.topUp();
    await page.getByText(text.network.offline).waitFor();
    await fan.topUp();
    await page.getByText(text.checkout.balanceAfter).waitFor();

    await dropResponses(page, '/payments');
    await fan.button(payButton(text)).click();
    const again = fan.button(payButton(text)).or(fan.button(text.checkout.toReceipt));
    await page.getByText(text.network.offline).or(page.getByText(text.checkout.confirmed)).first().waitFor();
    await again.click();
    await fan.heading(text.receipt.title).waitFor();

    await fan.link(text.common.myTickets).first().click();
    const entries = (type: string) => page.getByRole('row', { name: new RegExp(`^${type}`) });
    await entries(text.myTickets.entryTypes.PAYMENT).first().waitFor();
    expect(await entries(text.myTickets.entryTypes.PAYMENT).count()).toBe(1);
    expect(await entries(text.myTickets.entryTypes.CHARGE).count()).toBe(1);
  });

  it('sees that the connection is lost, and continues when it is back', async () => {
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

  it('does not join the queue by opening a URL', async () => {
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
