import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { newFan } from './fan.js';

describe('a refunded receipt', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it.each([
    { language: 'ko', device: 'phone' },
    { language: 'en', device: 'desktop' },
  ] as const)('is void, also in print ($language)', async ({ language, device }) => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url, language, device });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 1]);
    await fan.holdSeats();
    await fan.topUp();
    await page.getByText(text.checkout.balanceAfter).waitFor();
    await fan.pay();
    const code = page.locator('svg.qr');
    await code.waitFor();
    expect(await page.locator('.void-cross').count()).toBe(0);

    const path = `/operator/concerts/${sale.concertId}/payments`;
    const [payment] = (await foyer.client.get(path, foyer.operator)).body.items;
    const refund = `/operator/payments/${payment.id as string}/refund`;
    expect((await foyer.client.post(refund, foyer.operator, {})).status).toBe(201);
    await page.reload();
    const stamp = page.getByText(text.receipt.void, { exact: true });
    await stamp.waitFor();
    expect(await code.count()).toBe(0);
    expect(await page.getByText(text.receipt.showAtEntrance).count()).toBe(0);
    await takeScreenshot(page, `refunded-receipt-${device}-${language}`, true);
    await expectAccessible(page, 'a refunded receipt');

    await page.emulateMedia({ media: 'print' });
    expect(await stamp.isVisible()).toBe(true);
    const ticket = await page.locator('.ticket').boundingBox();
    const cross = await page.locator('.void-cross').boundingBox();
    expect(cross?.width).toBeGreaterThan((ticket?.width ?? Infinity) - 4);
    expect(cross?.height).toBeGreaterThan((ticket?.height ?? Infinity) - 4);
    await takeScreenshot(page, `refunded-receipt-print-${device}-${language}`, true);
    await page.emulateMedia({ media: 'screen' });

    await fan.link(text.common.myTickets).first().click();
    await fan.heading(text.myTickets.receipts).waitFor();
    await page.locator('.item-link').getByText(text.receipt.void, { exact: true }).waitFor();
    const title = page.locator('.item-link h3').first();
    expect(await title.evaluate((each) => getComputedStyle(each).textDecorationLine)).toBe('line-through');
    expect(fan.consoleErrors).toEqual([]);
  });
});
