import { describe, expect, it } from 'vitest';
import {
  type Device,
  expectAccessible,
  type Language,
  takeScreenshot,
  useBrowser,
} from '../support/browser/index.js';
import { enterSale, holdSeats, patchRoom } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, pay, PRICE } from '../support/sale.js';
import { newFan } from './fan.js';
import { newPromoter, OPERATOR_TEXTS } from './promoter.js';

const VISITS: readonly (readonly [Language, Device])[] = [
  ['ko', 'phone'],
  ['en', 'desktop'],
];
const ONE_SEAT = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: PRICE }];
const NOTICE = { ko: '입장이 10분 늦어집니다.\n양해 부탁드립니다.', en: 'Ten minutes late. <b>Sorry!</b>' };

describe('a fan is warned in time', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('that the room is paused, and what the promoter posts, each in their language', async () => {
    const { client, operator, url } = foyer;
    const sale = await openSale(client, operator, { policy: { paused: true } });
    const fans = [];
    for (const [language, device] of VISITS) {
      const fan = await newFan(browser, { url, language, device });
      await fan.join(sale);
      await fan.page.getByText(fan.text.waiting.pausedTitle).waitFor();
      await fan.page.getByText(fan.text.waiting.estimatePaused, { exact: true }).waitFor();
      fans.push(fan);
    }

    const { controls } = OPERATOR_TEXTS.en;
    const promoter = await newPromoter(browser, url, 'en');
    await promoter.page.goto(`/operator/concerts/${sale.concertId}`);
    await promoter.page.getByLabel(controls.noticeIn.ko).fill(NOTICE.ko);
    await promoter.page.getByLabel(controls.noticeIn.en).fill('x'.repeat(301));
    await promoter.page.locator('textarea[aria-invalid="true"]').waitFor();
    await promoter.page.getByLabel(controls.noticeIn.en).fill(NOTICE.en);
    await promoter.button(controls.postNotice).click();
    await promoter.page.getByText(controls.noticePosted).waitFor();
    await takeScreenshot(promoter.page, 'operator-notice-en', true);
    await expectAccessible(promoter.page, 'the notice on the live page');
    for (const { page, text, language } of fans) {
      await page.getByText(text.waiting.noticeTitle).waitFor();
      // Plain text: no markup is interpreted.
      expect(await page.locator('.queue-notice').innerText()).toBe(NOTICE[language]);
      await takeScreenshot(page, `waiting-notice-${language}`);
      await expectAccessible(page, 'a paused waiting room with a notice');
    }

    await promoter.button(controls.removeNotice).click();
    for (const { page } of fans) await page.locator('.queue-notice').waitFor({ state: 'detached' });
    await patchRoom(client, operator, sale, { paused: false, maxActive: 0 });
    for (const { page, text } of fans)
      await page.getByText(text.waiting.pausedTitle).waitFor({ state: 'detached' });
    expect([...fans, promoter].flatMap(({ consoleErrors }) => consoleErrors)).toEqual([]);
  });

  it.each(VISITS)('that the last seats went while choosing (%s, %s)', async (language, device) => {
    const { client, operator, url } = foyer;
    const sale = await openSale(client, operator, { sections: ONE_SEAT });
    const buyer = await enterSale(client, sale, PRICE);
    const late = await newFan(browser, { url, language, device });
    const { page, text } = late;
    await late.join(sale);
    await late.chooseDate();
    const { id } = await holdSeats(client, buyer, 0);
    await page.getByText(text.seats.noneFree).waitFor();
    await takeScreenshot(page, `all-held-${language}`);
    await page.goto(`/concerts/${sale.concertId}/dates`);
    await page.getByText(text.dates.allHeld).waitFor();

    expect((await pay(client, buyer.token, id)).status).toBe(201);
    await late.heading(text.waiting.soldOutTitle).waitFor();
    await page.getByText(text.waiting.soldOutInsideText).waitFor();
    expect(await page.getByRole('timer').count(), 'no clock for nothing').toBe(0);
    await takeScreenshot(page, `sold-out-inside-${language}`);
    await expectAccessible(page, 'sold out for an admitted fan');
    await late.link(text.waiting.otherConcerts).click();
    await page.getByText(text.concerts.lead).waitFor();
    expect(late.consoleErrors).toEqual([]);
  });

  it('keeps the chosen seats while the state of the sale cannot be loaded', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    const { page, text } = fan;
    await fan.join(sale);
    await fan.chooseDate();
    let asked = 0;
    const body = JSON.stringify({ type: 'about:blank', title: 'Not found', status: 404, code: 'NOT_FOUND' });
    await page.route('**/overview', (route) => {
      asked += 1;
      return route.fulfill({ status: 404, contentType: 'application/problem+json', body });
    });
    await page.reload();
    await fan.chooseSeats([1, 2]);
    const chosen = page.getByText(text.seats.chosen(1, 4));
    await chosen.waitFor();
    const before = asked;
    await expect.poll(() => asked, { timeout: 15_000 }).toBeGreaterThan(before + 1);
    expect(await chosen.isVisible()).toBe(true);
  });

  it('that the sale has ended while they choose', async () => {
    const { client, operator, url } = foyer;
    const sale = await openSale(client, operator);
    const fan = await newFan(browser, { url, language: 'en' });
    await fan.join(sale);
    await fan.heading(fan.text.seats.title).waitFor();
    const path = `/operator/concerts/${sale.concertId}`;
    const body = { salesCloseAt: new Date().toISOString() };
    expect((await client.call('PATCH', path, { token: operator, body })).status).toBe(200);
    await fan.heading(fan.text.waiting.closedTitle).waitFor();
    await fan.page.getByText(fan.text.waiting.closedInsideText).waitFor();
  });
});
