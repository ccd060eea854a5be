import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { en } from '../../web/src/operator/texts/en/index.js';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, PRICE } from '../support/sale.js';
import { OPERATOR } from '../support/server.js';
import { newFan } from './fan.js';

const CONCERT = { title: '한강 · Han River', venue: '올림픽홀', timeZone: 'Asia/Seoul' };
const SECTIONS = [{ name: 'F2', rows: 3, seatsPerRow: 8, grade: 'VIP', price: PRICE }];
/** 19:00 in Seoul. */
const STARTS_AT = '2027-03-20T10:00:00.000Z';
const NEXT_DAY = '2027-03-21T10:00:00.000Z';

const VARIANTS = [
  {
    language: 'ko',
    device: 'phone',
    seoulTime: /2027년 3월 20일 .*오후 7:00 \(대한민국 시간\)/,
    seats: 'F2구역 1열 3번, 4번',
    firstSeat: 'F2구역 1열 3번',
    name: '김지민',
  },
  {
    language: 'en',
    device: 'desktop',
    seoulTime: /20 March 2027 at 19:00 \(South Korea Time\)/,
    seats: 'Section F2, row 1, seats 3, 4',
    firstSeat: 'Section F2, row 1, seat 3',
    name: 'Jimin Kim',
  },
] as const;

describe('what a fan reads about a booking', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  const openInSeoul = () =>
    openSale(foyer.client, foyer.operator, {
      concert: {
        ...CONCERT,
        schedules: [STARTS_AT, NEXT_DAY].map((startsAt) => ({ startsAt, sections: SECTIONS })),
      },
    });
  const main = (page: Page) => page.getByRole('main');

  it.each(VARIANTS)('names everything, in the time of the venue ($language)', async (variant) => {
    const { language, device, seoulTime, seats, firstSeat, name } = variant;
    const sale = await openInSeoul();
    const fan = await newFan(browser, { url: foyer.url, language, device, timeZone: 'America/New_York' });
    const { page, text } = fan;
    const expectTexts = async (...texts: readonly (string | RegExp)[]): Promise<void> => {
      for (const each of texts) await main(page).getByText(each).first().waitFor();
    };
    const show = async (what: string): Promise<void> => {
      await takeScreenshot(page, `details-${what}-${device}-${language}`, true);
      await expectAccessible(page, what);
    };

    await page.goto(`/concerts/${sale.concertId}`);
    await expectTexts(seoulTime);
    await fan.join(sale);
    await fan.heading(text.dates.title).waitFor();
    await expectTexts(seoulTime);
    await fan.chooseDate();
    await fan.chooseSeats([1, 3], [1, 4]);
    await fan.holdSeats();
    await expectTexts(CONCERT.title, CONCERT.venue, seoulTime, firstSeat);
    await show('checkout');

    await page.goto('/mine');
    await fan.heading(text.myTickets.held).waitFor();
    await expectTexts(CONCERT.title, seoulTime, seats);
    await show('held');
    await main(page).getByRole('link', { name: text.myTickets.payNow }).click();
    await fan.topUp();
    await page.getByText(text.checkout.balanceAfter).waitFor();
    await fan.pay();
    await expectTexts(CONCERT.title, CONCERT.venue, seoulTime, firstSeat, name);
    await show('receipt');

    await fan.link(text.common.myTickets).first().click();
    await fan.heading(text.myTickets.receipts).waitFor();
    await expectTexts(CONCERT.title, seoulTime, seats);
    await show('tickets');
    expect(fan.consoleErrors).toEqual([]);
  });

  it('has no zone where the fan’s clock shows the same time', async () => {
    const sale = await openInSeoul();
    const { page } = await newFan(browser, { url: foyer.url, timeZone: 'Asia/Tokyo' });
    await page.goto(`/concerts/${sale.concertId}`);
    await main(page)
      .getByText(/2027년 3월 20일 .*오후 7:00$/)
      .waitFor();
  });

  it('comes from a promoter who types times of the venue', async () => {
    const promoter = await newFan(browser, { url: foyer.url, language: 'en', timeZone: 'America/New_York' });
    const { page, text } = promoter;
    const { general, form } = en;
    const field = (label: string) => page.getByLabel(label, { exact: true }).first();
    await page.goto('/operator/new');
    await promoter.button(general.signInAsOperator).click();
    await field(text.account.email).fill(OPERATOR.email);
    await field(text.account.password).fill(OPERATOR.password);
    await main(page).getByRole('button', { name: text.common.signIn, exact: true }).click();
    await expect.poll(() => field(form.timeZone).inputValue()).toBe('Asia/Seoul');
    const title = `Typed in New York ${Date.now()}`;
    await field(form.concertTitle).fill(title);
    await field(form.venue).fill('Berlin Hall');
    await field(form.timeZone).fill('Europe/Berlin');
    await page.getByText(form.zone('Europe/Berlin')).waitFor();
    await field(form.salesOpenAt).fill('2027-01-10T12:00');
    await page.getByLabel(`${form.date(1)}: ${form.startsAt}`).fill('2027-06-01T19:30');
    await field(form.sectionName).fill('A');
    await field(form.grade).fill('R');
    await field(form.price('KRW')).fill('88000');
    await takeScreenshot(page, 'details-form-en', true);
    await main(page)
      .getByRole('button', { name: /^(Create|Save)/ })
      .last()
      .click();
    await promoter.heading(title).waitFor();
    const { items } = (await foyer.client.get('/operator/concerts', foyer.operator)).body;
    const { id } = items.find((each: { title: string }) => each.title === title);
    const read = async () => (await foyer.client.get(`/operator/concerts/${id}`, foyer.operator)).body;
    expect(await read()).toMatchObject({
      timeZone: 'Europe/Berlin',
      salesOpenAt: '2027-01-10T11:00:00.000Z',
      schedules: [{ startsAt: '2027-06-01T17:30:00.000Z' }],
    });

    // The same clock times, in another zone.
    await page.goto(`/operator/concerts/${id}/details`);
    await expect.poll(() => field(form.salesOpenAt).inputValue()).toBe('2027-01-10T12:00');
    await page.getByText(/1 June 2027 at 19:30/).waitFor();
    await field(form.timeZone).fill('Asia/Seoul');
    await promoter.button(form.save).click();
    await page.getByText(form.saved).waitFor();
    expect(await read()).toMatchObject({ salesOpenAt: '2027-01-10T03:00:00.000Z' });
    expect(promoter.consoleErrors).toEqual([]);
  });
});
