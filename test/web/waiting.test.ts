import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { enterSale, holdSeats } from '../support/booking.js';
import { openSale, pay, PRICE } from '../support/sale.js';
import { onFreePort } from '../support/machine/free-port.js';
import { asFan, newFan } from './fan.js';

/** Fixed, so that a restarted server has the same URL. */
const PORT = await onFreePort((port) => Promise.resolve(String(port)));
const NO_ADMISSIONS = { policy: { maxActive: 0 } };

describe('the waiting room in the browser', () => {
  const foyer = useOwnFoyer(sqlite, { PORT });
  const browser = useBrowser();

  const admit = async (concertId: string, maxActive: number): Promise<void> => {
    const path = `/operator/concerts/${concertId}/waiting-room`;
    expect(
      (await foyer.client.call('PATCH', path, { token: foyer.operator, body: { maxActive } })).status,
    ).toBe(200);
  };

  it('shows the rank and opens the dates on admission without a reload', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NO_ADMISSIONS);
    const first = await newFan(browser, { url: foyer.url, device: 'phone' });
    await first.join(sale);
    await first.page.getByText(first.text.waiting.rankLabel, { exact: true }).waitFor();
    const second = await newFan(browser, { url: foyer.url, language: 'en' });
    await second.join(sale);
    await second.page.getByText(second.text.waiting.rankLabel, { exact: true }).waitFor();
    await expect.poll(() => second.page.title()).toContain(second.text.waiting.tabTitle('2'));
    for (const { page, language } of [first, second]) {
      await takeScreenshot(page, `waiting-${language}`);
      await expectAccessible(page, 'the waiting room');
    }

    await admit(sale.concertId, 1);
    await first.heading(first.text.seats.title).waitFor();
    await expect.poll(() => second.page.title()).toContain(second.text.waiting.tabTitle('1'));
    await admit(sale.concertId, 2);
    await second.heading(second.text.seats.title).waitFor();
    expect([...first.consoleErrors, ...second.consoleErrors]).toEqual([]);
  });

  it('plays the sound of an admission in one of several tabs', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NO_ADMISSIONS);
    const { context, ...fan } = await newFan(browser, { url: foyer.url, language: 'en' });
    await context.addInitScript(() => {
      const play = AudioScheduledSourceNode.prototype.start;
      AudioScheduledSourceNode.prototype.start = function (...args) {
        document.documentElement.dataset['tones'] = `${document.documentElement.dataset['tones'] ?? ''}x`;
        play.apply(this, args);
      };
    });
    await fan.join(sale);
    const tabs = [fan.page, await context.newPage(), await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(`/concerts/${sale.concertId}/waiting`);
      // Browsers allow sound after a gesture.
      await tab.getByText(fan.text.waiting.rankLabel, { exact: true }).click();
    }
    await admit(sale.concertId, 1);
    for (const tab of tabs)
      await tab.getByRole('heading', { name: fan.text.seats.title, exact: true }).waitFor();
    const tones = (): Promise<(string | undefined)[]> =>
      Promise.all(tabs.map((tab) => tab.evaluate(() => document.documentElement.dataset['tones'])));
    await expect.poll(async () => (await tones()).filter(Boolean)).toEqual(['xxx']);
    await fan.page.waitForTimeout(500);
    expect((await tones()).filter(Boolean)).toEqual(['xxx']);
  });

  it.each([
    ['ko', 'phone'],
    ['en', 'desktop'],
  ] as const)('shows that the sale has ended or is sold out (%s, %s)', async (language, device) => {
    const { client, operator, url } = foyer;
    const sections = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: PRICE }];
    const sale = await openSale(client, operator, { policy: { maxActive: 1 }, sections });
    const buyer = await enterSale(client, sale, PRICE);
    const fan = await newFan(browser, { url, language, device });
    const { page, text } = fan;
    await fan.join(sale);
    await page.getByText(text.waiting.rank('1'), { exact: true }).first().waitFor();
    // Otherwise the fan would get the slot of the buyer.
    await admit(sale.concertId, 0);
    await pay(client, buyer.token, (await holdSeats(client, buyer, 0)).id);
    await fan.heading(text.waiting.soldOutTitle).waitFor();
    await takeScreenshot(page, `sold-out-${language}`);
    await expectAccessible(page, 'the end of a sold-out sale');
    await fan.link(text.waiting.backToConcert).click();
    await fan.button(text.concerts.soldOut).waitFor();
    await takeScreenshot(page, `concert-sold-out-${language}`);

    const closing = await openSale(client, operator, NO_ADMISSIONS);
    await page.goto(`/concerts/${closing.concertId}`);
    await fan.link(text.concerts.join).click();
    await page.getByText(text.waiting.rank('1'), { exact: true }).first().waitFor();
    const body = { salesCloseAt: new Date().toISOString() };
    const path = `/operator/concerts/${closing.concertId}`;
    expect((await client.call('PATCH', path, { token: operator, body })).status).toBe(200);
    await fan.heading(text.waiting.closedTitle).waitFor();
    await takeScreenshot(page, `sale-ended-${language}`);
    await expectAccessible(page, 'the end of a sale');
    // The same screen for a fan who comes too late.
    await page.goto(`/concerts/${closing.concertId}/waiting`);
    await fan.heading(text.waiting.closedTitle).waitFor();
    await fan.link(text.waiting.otherConcerts).click();
    await page.getByText(text.concerts.lead).waitFor();
    expect(fan.consoleErrors.filter((error) => !error.includes('409'))).toEqual([]);
  });

  it('keeps the place after a reload, in another tab and on another device, and confirms leaving', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NO_ADMISSIONS);
    const fan = await newFan(browser, { url: foyer.url });
    const { page, text } = fan;
    await fan.join(sale);
    const rank = page.getByText(text.waiting.rank('1'), { exact: true });
    await rank.first().waitFor();
    await page.reload();
    await rank.first().waitFor();

    const tab = await fan.context.newPage();
    await tab.goto(`/concerts/${sale.concertId}/waiting`);
    await tab.getByText(text.waiting.rank('1'), { exact: true }).first().waitFor();

    const elsewhere = await newFan(browser, { url: foyer.url, device: 'phone' });
    await elsewhere.page.goto(`/concerts/${sale.concertId}/waiting`);
    await elsewhere.signIn(fan.email);
    await elsewhere.page.getByText(text.waiting.rank('1'), { exact: true }).first().waitFor();
    const stats = await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator);
    expect(stats.body.waiting).toBe(1);

    await fan.button(text.waiting.leave).click();
    await takeScreenshot(page, 'leaving-ko');
    await fan.button(text.waiting.stay).click();
    await rank.first().waitFor();
    await fan.button(text.waiting.leave).click();
    await fan.button(text.waiting.confirmLeave).click();
    await expect
      .poll(
        async () =>
          (await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator)).body.left,
      )
      .toBe(1);
  });

  it('shows a lost connection and continues with the same place when the server is back', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NO_ADMISSIONS);
    const ahead = await newFan(browser, { url: foyer.url });
    await ahead.join(sale);
    const fan = asFan(await browser.visit({ url: foyer.url, language: 'en' }), 'en');
    await fan.join(sale);
    const { page, text } = fan;
    await page.getByText(text.waiting.rank('2'), { exact: true }).first().waitFor();

    await foyer.kill();
    await page.getByText(text.waiting.lost).waitFor({ timeout: 30_000 });
    await takeScreenshot(page, 'waiting-lost-en');
    await foyer.restart();
    await page.getByText(text.waiting.lost).waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByText(text.waiting.rank('2'), { exact: true }).first().waitFor();
    await admit(sale.concertId, 2);
    await fan.heading(text.seats.title).waitFor({ timeout: 30_000 });
  });
});
