import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  type Device,
  expectAccessible,
  type Language,
  takeScreenshot,
  useBrowser,
} from '../support/browser/index.js';
import { patchRoom } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { type Fan, newFan, payButton, seatInList } from './fan.js';

const VISITS: readonly (readonly [Language, Device])[] = [
  ['ko', 'phone'],
  ['en', 'desktop'],
];

/** The request for the held seats of the fan. */
const HOLDS = /\/reservations\?/;

/** Reads the holds now, and delivers the answer later. */
async function delayAnswers(page: Page, url: RegExp): Promise<{ deliver: () => Promise<void> }> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const fetched = new Promise<void>((resolve) => {
    void page.route(url, async (route) => {
      const response = await route.fetch();
      resolve();
      await opened;
      await route.fulfill({ response }).catch(() => undefined);
    });
  });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await fetched;
  return {
    async deliver() {
      open();
      await page.waitForTimeout(300);
    },
  };
}

const SCREENS = [
  [360, 640],
  [390, 664],
  [375, 553],
  [664, 390],
  [1280, 800],
] as const;

describe('the bar that follows a fan', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  const bar = ({ page }: Fan) => page.locator('.place-bar');
  const check = async (fan: Fan, name: string): Promise<void> => {
    await takeScreenshot(fan.page, `bar-${name}-${fan.language}`);
    await expectAccessible(fan.page, name);
  };

  /** The bar fits screens of all sizes, in the dark too, and its actions are in reach. */
  async function expectToFit(fan: Fan, name: string): Promise<void> {
    const { page, language } = fan;
    const before = page.viewportSize();
    await page.emulateMedia({ colorScheme: 'dark' });
    // The colours change within frames, one element after the one it inherits from.
    await page.evaluate(async () => {
      for (let calmFrames = 0; calmFrames < 5;) {
        await new Promise((done) => requestAnimationFrame(done));
        calmFrames = document.getAnimations().length === 0 ? calmFrames + 1 : 0;
      }
    });
    await expectAccessible(page, `${name} in the dark`);
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height });
      await takeScreenshot(page, `bar-${name}-${language}-${width}x${height}-dark`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const action of await bar(fan).locator('.button >> visible=true').all()) {
        const box = await action.boundingBox();
        expect((box?.x ?? width) + (box?.width ?? 0), `${name} at ${width}`).toBeLessThanOrEqual(width);
        // Sideways, the map of seats needs the room.
        expect(box?.height).toBeGreaterThanOrEqual(height < 480 ? 36 : 40);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    if (before) await page.setViewportSize(before);
  }

  it.each(VISITS)(
    'leads from any page through the line to the payment (%s, %s)',
    async (language, device) => {
      const { client, operator, url } = foyer;
      const policy = { maxActive: 0, admitCount: 1, admitEverySeconds: 1 };
      const sale = await openSale(client, operator, {
        policy,
        concert: { title: 'The Long Night of the Very Long Titles · 긴 밤' },
      });
      const fan = await newFan(browser, { url, language, device });
      const { page, text } = fan;
      await fan.join(sale);
      await page.getByText(text.waiting.rankLabel, { exact: true }).waitFor();
      expect(await bar(fan).count(), 'the waiting room shows the place itself').toBe(0);

      await page.goto('/');
      await bar(fan).getByText(text.waiting.tabTitle('1')).waitFor();
      await check(fan, 'waiting');
      await expectToFit(fan, 'waiting');
      await fan.link(text.placeBar.toWaitingRoom).click();
      await page.getByText(text.waiting.rankLabel, { exact: true }).waitFor();

      // The turn comes while the fan is elsewhere.
      await fan.link(text.common.myTickets).first().click();
      await bar(fan).getByText(text.waiting.tabTitle('1')).waitFor();
      await patchRoom(client, operator, sale, { maxActive: 1 });
      await bar(fan).getByText(text.placeBar.yourTurn).waitFor();
      await bar(fan).getByRole('timer').waitFor();
      await check(fan, 'your-turn');
      await fan.link(text.placeBar.choose).click();

      await fan.chooseDate();
      await fan.chooseSeats([1, 2], [1, 3]);
      await page.route(HOLDS, () => undefined);
      await fan.holdSeats();
      expect(await bar(fan).count(), 'the checkout shows the seats itself').toBe(0);
      await page.unroute(HOLDS);
      await page.goto('/');
      await bar(fan).getByRole('timer').waitFor();
      expect(await bar(fan).innerText()).toContain('2');
      await check(fan, 'held');
      await fan.link(text.placeBar.pay).click();
      await fan.topUp();
      await expect.poll(() => fan.button(payButton(text)).isEnabled()).toBe(true);
      // The bar does not need another answer to know what was paid.
      await page.route(HOLDS, () => undefined);
      await fan.pay();
      await bar(fan).waitFor({ state: 'detached' });
      expect(fan.consoleErrors).toEqual([]);
    },
  );

  it.each(VISITS)(
    'shows held seats as mine on the way back, to pay or release (%s, %s)',
    async (language, device) => {
      const sale = await openSale(foyer.client, foyer.operator);
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      await fan.join(sale);
      await fan.chooseDate();
      await fan.chooseSeats([1, 2]);
      await fan.holdSeats();
      await page.goBack();
      await fan.heading(text.seats.title).waitFor();
      await bar(fan).getByRole('link', { name: text.placeBar.pay }).waitFor();
      await page.locator('canvas').first().waitFor();
      await check(fan, 'back-on-map');
      await expectToFit(fan, 'back-on-map');
      await fan.chooseSeats();
      const seat = seatInList(page, language, 1, 2);
      await expect.poll(() => seat.getAttribute('data-look')).toBe('mine');
      await check(fan, 'back-on-list');

      // What is chosen now stays: the fan releases other seats, and stays where they are.
      await seatInList(page, language, 1, 3).click();
      await page.getByText(text.seats.chosen(1, 3)).first().waitFor();
      const answers = await delayAnswers(page, HOLDS);
      await fan.button(text.placeBar.release).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: text.checkout.release, exact: true })
        .click();
      await bar(fan).waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
      await expect.poll(() => seat.getAttribute('data-look')).toBe('free');
      expect(await seatInList(page, language, 1, 3).isChecked()).toBe(true);
      await answers.deliver();
      expect(await bar(fan).count(), 'an answer from before the release').toBe(0);
      expect(fan.consoleErrors).toEqual([]);
    },
  );

  it('takes held seats off the number of seats to choose', async () => {
    const policy = { maxSeatsPerUser: 2 };
    const sale = await openSale(foyer.client, foyer.operator, { policy });
    const fan = await newFan(browser, { url: foyer.url, language: 'ko', device: 'phone' });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 2]);
    await fan.holdSeats();
    await page.goBack();
    await bar(fan).waitFor();
    await fan.button(text.seats.best).click();
    expect(await page.getByLabel(text.seats.count).locator('option').allInnerTexts()).toEqual([
      text.common.seats(1),
    ]);
    await fan.button(text.seats.holdBest).click();
    await fan.heading(text.checkout.title).waitFor();
    await page.goBack();
    await expect.poll(() => fan.button(text.seats.best).isDisabled()).toBe(true);
  });

  it.each(VISITS)(
    'shows the most urgent of several concerts on a phone (%s, %s)',
    async (language, device) => {
      const titles = ['겨울 · Winter', '봄 · Spring', '여름 · Summer'];
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      const sales = [];
      for (const title of titles) {
        const policy = { maxActive: 0 };
        const sale = await openSale(foyer.client, foyer.operator, { policy, concert: { title } });
        if (sales.length === 0) await fan.join(sale);
        else {
          await page.goto(`/concerts/${sale.concertId}`);
          await fan.link(text.concerts.join).click();
        }
        await page.getByText(text.waiting.rankLabel, { exact: true }).waitFor();
        sales.push(sale);
      }
      await page.goto('/');
      await expect.poll(() => bar(fan).count()).toBe(3);
      const [, second] = sales;
      if (second) await patchRoom(foyer.client, foyer.operator, second, { maxActive: 1 });
      await bar(fan).getByText(text.placeBar.yourTurn).waitFor();
      // The alert says whose turn it is.
      await page.locator('.toast', { hasText: text.waiting.admittedBody('봄 · Spring') }).waitFor();
      await expect.poll(() => bar(fan).first().getAttribute('aria-label')).toBe('봄 · Spring');
      await check(fan, 'several');
      const visibleRows = (): Promise<number> => bar(fan).locator('visible=true').count();
      if (device === 'desktop') {
        expect(await visibleRows()).toBe(3);
        return;
      }
      expect(await visibleRows()).toBe(1);
      await expectToFit(fan, 'several');
      await fan.link(`+2 ${text.common.myTickets}`).click();
      await fan.heading(text.myTickets.title).waitFor();
      await expect.poll(visibleRows).toBe(3);
      await check(fan, 'all-rows');
    },
  );

  it('stops offering the payment of expired seats among the tickets', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { holdSeconds: 8 } });
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 2]);
    await fan.holdSeats();
    await page.goto('/mine');
    await fan.link(text.myTickets.payNow).waitFor();
    await fan.link(text.myTickets.payNow).waitFor({ state: 'detached' });
    expect(await fan.heading(text.myTickets.held).count()).toBe(0);
  });

  it('counts to the end of the place while that comes before the end of the hold', async () => {
    const policy = { activeSeconds: 120, holdSeconds: 600 };
    const sale = await openSale(foyer.client, foyer.operator, { policy });
    const fan = await newFan(browser, { url: foyer.url, language: 'en', device: 'phone' });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 2]);
    await fan.holdSeats();
    await page.goBack();
    await fan.heading(text.seats.title).waitFor();
    const timer = bar(fan).getByRole('timer');
    await expect.poll(() => timer.innerText()).toMatch(/^0?[12]:/);
    expect(await page.locator('.inside-bar').getByRole('timer').isVisible()).toBe(true);
    await page.goto('/');
    // Elsewhere the hold counts.
    await expect.poll(() => timer.innerText()).toMatch(/^0?9:/);
  });

  it('says that the line has ended, and why', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { maxActive: 0 } });
    const fan = await newFan(browser, { url: foyer.url, language: 'en', device: 'phone' });
    const { text } = fan;
    await fan.join(sale);
    await fan.page.getByText(text.waiting.rankLabel, { exact: true }).waitFor();
    await fan.page.goto('/');
    await bar(fan).getByText(text.waiting.tabTitle('1')).waitFor();
    const path = `/operator/concerts/${sale.concertId}`;
    const body = { salesCloseAt: new Date().toISOString() };
    await foyer.client.call('PATCH', path, { token: foyer.operator, body });
    await bar(fan).getByText(text.placeBar.ended).waitFor();
    await check(fan, 'ended');
    let polls = 0;
    fan.page.on('request', (request) => {
      if (request.url().endsWith('/queue-tokens/me')) polls += 1;
    });
    await fan.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await fan.page.waitForTimeout(500);
    expect(polls, 'an ended place is not polled').toBe(0);
    await fan.link(text.placeBar.details).click();
    await fan.heading(text.waiting.closedTitle).waitFor();
    await fan.link(text.waiting.otherConcerts).click();
    await fan.page.getByText(text.concerts.lead).waitFor();
    expect(await bar(fan).count()).toBe(0);
  });
});
