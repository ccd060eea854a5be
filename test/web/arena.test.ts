import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { join, openSale, type Section, signUpFans } from '../support/sale.js';
import { newFan } from './fan.js';

const tier = (names: readonly string[], grade: string, price: number): Section[] =>
  names.map((name) => ({ name, rows: 20, seatsPerRow: 25, grade, price }));

/** 12,000 seats in four grades. */
const ARENA = [
  ...tier(['F1', 'F2', 'F3', 'F4'], 'VIP', 198_000),
  ...tier(['1A', '1B', '1C', '1D', '1E', '1F', '1G', '1H'], 'R', 154_000),
  ...tier(['2A', '2B', '2C', '2D', '2E', '2F', '2G', '2H'], 'S', 121_000),
  ...tier(['3A', '3B', '3C', '3D'], 'A', 99_000),
];

/** One tap to zoom to a section, one to its seats, one to choose; the rest in case a tap hits a gap. */
const TAPS_MAX = 5;
const CONCERT = { title: '겨울 아레나 · Winter Arena', venue: 'Foyer Arena' };

describe('an arena of 12,000 seats', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('has a waiting room and a live map of all seats', async () => {
    const options = { sections: ARENA, concert: CONCERT, policy: { maxActive: 0 } };
    const sale = await openSale(foyer.client, foyer.operator, options);
    for (const ahead of await signUpFans(foyer.client, 11)) await join(foyer.client, ahead, sale);
    const fan = await newFan(browser, { url: foyer.url, device: 'phone' });
    await fan.join(sale);
    await fan.page.getByText(fan.text.waiting.rank('12'), { exact: true }).first().waitFor();
    await takeScreenshot(fan.page, 'arena-waiting-phone-ko');

    const path = `/operator/concerts/${sale.concertId}/waiting-room`;
    await foyer.client.call('PATCH', path, { token: foyer.operator, body: { maxActive: 100 } });
    await fan.chooseDate();
    await takeScreenshot(fan.page, 'arena-map-phone-ko');

    const other = await newFan(browser, { url: foyer.url, language: 'en' });
    await other.join(sale);
    await other.chooseDate();
    const { page, text } = other;
    await page.getByText(text.seats.free('12,000')).waitFor();
    await takeScreenshot(page, 'arena-map-desktop-en');
    await expectAccessible(page, 'the map of an arena');

    // One fan holds the best four seats; the other sees them taken without a reload.
    await fan.page.getByText(fan.text.seats.best, { exact: true }).click();
    await fan.page.getByLabel(fan.text.seats.count).selectOption('4');
    await fan.button(fan.text.seats.holdBest).click();
    await fan.heading(fan.text.checkout.title).waitFor();
    await page.getByText(text.seats.free('11,996')).waitFor();

    // Taps on a section zoom in until a seat can be chosen.
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.locator('canvas').first().boundingBox()) ?? {};
    const chosen = page.getByText(text.seats.chosen(1, 4));
    for (let taps = 0; taps < TAPS_MAX && (await chosen.count()) === 0; taps += 1) {
      // Off the centre: there is an aisle.
      await page.mouse.click(x + width * 0.47, y + height * 0.45);
      await chosen.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    await chosen.waitFor();
    await takeScreenshot(page, 'arena-map-near-desktop-en');
    await other.holdSeats();
    await expect
      .poll(
        async () =>
          (await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator)).body
            .seatsHeld,
      )
      .toBe(5);
    expect([...fan.consoleErrors, ...other.consoleErrors]).toEqual([]);
  });
});
