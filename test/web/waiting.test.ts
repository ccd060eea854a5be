import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { onFreePort } from '../support/machine/free-port.js';
import { asFan, newFan } from './fan.js';

/** A server that comes back must do so at the address the pages know. */
const PORT = await onFreePort((port) => Promise.resolve(String(port)));
const NOBODY_YET = { policy: { maxActive: 0 } };

describe('the waiting room on screen', () => {
  const foyer = useOwnFoyer(sqlite, { PORT });
  const browser = useBrowser();

  const admit = async (concertId: string, maxActive: number): Promise<void> => {
    const path = `/operator/concerts/${concertId}/waiting-room`;
    expect(
      (await foyer.client.call('PATCH', path, { token: foyer.operator, body: { maxActive } })).status,
    ).toBe(200);
  };

  it('shows the rank, and takes the fan in without a reload when it is their turn', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NOBODY_YET);
    const first = await newFan(browser, { url: foyer.url, device: 'phone' });
    await first.join(sale);
    await first.page.getByText(first.text.waiting.rankLabel, { exact: true }).waitFor();
    const second = await newFan(browser, { url: foyer.url, language: 'en' });
    await second.join(sale);
    await second.page.getByText(second.text.waiting.rankLabel, { exact: true }).waitFor();
    await expect.poll(() => second.page.title()).toContain(second.text.waiting.tabTitle('2'));
    for (const { page, language } of [first, second]) {
      await picture(page, `waiting-${language}`);
      await expectAccessible(page, 'the waiting room');
    }

    await admit(sale.concertId, 1);
    await first.heading(first.text.dates.title).waitFor();
    await expect.poll(() => second.page.title()).toContain(second.text.waiting.tabTitle('1'));
    await admit(sale.concertId, 2);
    await second.heading(second.text.dates.title).waitFor();
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('keeps the place through a reload, in another tab, on another device, and asks twice before leaving', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NOBODY_YET);
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
    await picture(page, 'leaving-ko');
    await fan.button(text.waiting.stay).click();
    await rank.first().waitFor();
    await fan.button(text.waiting.leave).click();
    await fan.button(text.waiting.leaveSure).click();
    await expect
      .poll(
        async () =>
          (await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator)).body.left,
      )
      .toBe(1);
  });

  it('says that the connection is lost, and goes on at the same place when the server is back', async () => {
    const sale = await openSale(foyer.client, foyer.operator, NOBODY_YET);
    const ahead = await newFan(browser, { url: foyer.url });
    await ahead.join(sale);
    const fan = asFan(await browser.visit({ url: foyer.url, language: 'en' }), 'en');
    await fan.join(sale);
    const { page, text } = fan;
    await page.getByText(text.waiting.rank('2'), { exact: true }).first().waitFor();

    await foyer.kill();
    await page.getByText(text.waiting.lost).waitFor({ timeout: 30_000 });
    await picture(page, 'waiting-lost-en');
    await foyer.restart();
    await page.getByText(text.waiting.lost).waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByText(text.waiting.rank('2'), { exact: true }).first().waitFor();
    await admit(sale.concertId, 2);
    await fan.heading(text.dates.title).waitFor({ timeout: 30_000 });
  });
});
