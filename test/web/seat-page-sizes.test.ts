import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, type Section } from '../support/sale.js';
import { newFan } from './fan.js';

const tier = (names: readonly string[], grade: string, price: number): Section[] =>
  names.map((name) => ({ name, rows: 20, seatsPerRow: 25, grade, price }));

const HALL = [
  ...tier(['F1', 'F2', 'F3', 'F4'], 'VIP', 198_000),
  ...tier(['1A', '1B', '1C', '1D'], 'R', 154_000),
  ...tier(['2A', '2B', '2C', '2D'], 'S', 121_000),
  ...tier(['3A', '3B'], 'A', 99_000),
];
const CONCERT = { title: '겨울 아레나 · Winter Arena', venue: 'Foyer Arena' };

const SCREENS = [
  { width: 390, height: 664, language: 'ko', isDark: false, mapShare: 0.6, mapShareWithBar: 0.6 },
  { width: 375, height: 553, language: 'ko', isDark: true, mapShare: 0.6, mapShareWithBar: 0.58 },
  { width: 360, height: 640, language: 'en', isDark: false, mapShare: 0.6, mapShareWithBar: 0.58 },
  { width: 664, height: 390, language: 'ko', isDark: false, mapShare: 0.55, mapShareWithBar: 0.55 },
  { width: 1280, height: 800, language: 'en', isDark: true, mapShare: 0.35, mapShareWithBar: 0.3 },
] as const;

/** The part of the screen that shows the map, without anything on top of it. */
const shareOfMap = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const box = document.querySelector('.seat-map__canvas')?.getBoundingClientRect();
    if (!box) return 0;
    const shown =
      Math.max(0, Math.min(box.right, innerWidth) - Math.max(0, box.left)) *
      Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(0, box.top));
    return shown / (innerWidth * innerHeight);
  });

/** The names of the buttons of the map that something else covers, or that are out of view. */
const coveredButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.seat-map__zoom button')]
      .filter((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        const corners = [
          [x + 8, y + 8],
          [x + width - 8, y + height - 8],
        ] as const;
        return !corners.every(([left, top]) => button.contains(document.elementFromPoint(left, top)));
      })
      .map((button) => button.getAttribute('aria-label') ?? ''),
  );

describe('the seat page', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it.each(SCREENS)(
    'leaves the map its room on a screen of $width × $height',
    async ({ width, height, language, isDark, mapShare, mapShareWithBar }) => {
      const sale = await openSale(foyer.client, foyer.operator, { sections: HALL, concert: CONCERT });
      const device = width < 1000 ? 'phone' : 'desktop';
      const size = { width, height };
      const fan = await newFan(browser, { url: foyer.url, language, device, size, isDark });
      const { page, text } = fan;
      const inspect = async (state: string, share: number = mapShare): Promise<void> => {
        await takeScreenshot(page, `seats-${width}x${height}-${language}-${state}`);
        expect(await shareOfMap(page), state).toBeGreaterThanOrEqual(share);
        expect(await coveredButtons(page), state).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          'wider than the screen',
        ).toBe(0);
      };
      await fan.join(sale);
      await fan.chooseDate();
      await page.locator('canvas').first().waitFor();
      await page.getByText(CONCERT.title).first().waitFor();
      await inspect('whole');
      await expectAccessible(page, 'the map');

      await fan.button(text.seats.best).click();
      await page.getByLabel(text.seats.count).waitFor();
      await takeScreenshot(page, `seats-${width}x${height}-${language}-best`);
      await expectAccessible(page, 'the best seats');
      await page.keyboard.press('Escape');

      // The list of sections: price and seats left.
      await fan.button(text.seats.asList).click();
      const section = page.locator('.seat-list summary').first();
      expect(await section.innerText()).toMatch(/F1.*198,000.*500/s);
      await takeScreenshot(page, `seats-${width}x${height}-${language}-list`);
      await expectAccessible(page, 'the list');
      await section.click();
      const seats = page.locator('.seat-list__seat');
      for (const seat of [4, 5, 6, 7]) await seats.nth(seat).click();
      await fan.button(text.seats.asMap).click();
      await page.getByText(text.seats.chosen(4, 4)).waitFor();
      await page.locator('canvas').first().waitFor();
      for (let zooms = 0; zooms < 6; zooms += 1) await page.locator('.seat-map__zoom button').first().click();
      await inspect('chosen');
      await expectAccessible(page, 'the chosen seats');
      expect(await page.getByRole('button', { name: text.seats.hold, exact: true }).isVisible()).toBe(true);

      // With the bar of the held seats, which stays at the top.
      await fan.holdSeats();
      await page.goBack();
      await page.locator('.place-bar').waitFor();
      await page.locator('canvas').first().waitFor();
      await inspect('bar', mapShareWithBar);
      await expectAccessible(page, 'the map with a bar');
      expect((await page.locator('.place-bar').boundingBox())?.y).toBeGreaterThanOrEqual(0);
      expect(await page.locator('.inside-bar').getByRole('timer').isVisible()).toBe(true);
      // It stays there on a screen that is too low for the page.
      await page.setViewportSize({ width, height: 240 });
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
      expect((await page.locator('.place-bar').boundingBox())?.y).toBeGreaterThanOrEqual(0);
      expect(fan.consoleErrors).toEqual([]);
    },
  );
});
