import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { OPERATOR } from '../support/server.js';
import { openSale } from '../support/sale.js';
import { newFan } from './fan.js';
import { buySeat, newPromoter, OPERATOR_TEXTS, SIZES } from './promoter.js';

const PHONES = [
  { width: 360, height: 640 },
  { width: 375, height: 553 },
  { width: 664, height: 390 },
] as const;

function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** What a page that becomes visible does: it polls at once. */
const poll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** The elements that make a page scroll sideways. */
const overflowing = (page: Page, width: number): Promise<string[]> =>
  page.evaluate((maxWidth) => {
    const isScrolled = (element: Element): boolean =>
      element.parentElement !== null &&
      (getComputedStyle(element.parentElement).overflowX !== 'visible' || isScrolled(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > maxWidth + 1 && !isScrolled(element))
      .map((element) => `${element.tagName} ${element.className} ${element.getBoundingClientRect().right}`);
  }, width);

describe('a promoter of a running sale', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it.each(['ko', 'en'] as const)('changes the rules of a running sale in minutes (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { holdSeconds: 300 } });
    const promoter = await newPromoter(browser, foyer.url, language);
    const { page } = promoter;
    const { audit, controls, errors, general, policy } = OPERATOR_TEXTS[language];
    await page.goto(`/operator/concerts/${sale.concertId}`);
    await page.getByText(controls.moreRules).click();
    const timeToPay = page.getByLabel(policy.holdMinutes);
    expect(await timeToPay.inputValue()).toBe('5');
    await timeToPay.fill('1441');
    await page.getByText(errors.minutes('1,440')).waitFor();
    await timeToPay.fill('1.5');
    await promoter.button(controls.change).click();
    const [from, to] = language === 'ko' ? ['5분', '1분 30초'] : ['5 minutes', '1 minute 30 seconds'];
    await page.getByText(controls.ruleChange(audit.fields.holdSeconds, from, to)).waitFor();
    await promoter.button(controls.confirmChange).click();
    await page.getByText(controls.done).waitFor();
    const path = `/operator/concerts/${sale.concertId}/waiting-room`;
    expect((await foyer.client.get(path, foyer.operator)).body).toMatchObject({ holdSeconds: 90 });
    await promoter.link(general.audit).click();
    await page.getByText(audit.changed(OPERATOR.email, audit.fields.holdSeconds, from, to)).waitFor();
    expect(promoter.consoleErrors).toEqual([]);
  });

  it.each(['ko', 'en'] as const)('pauses a sale from any page on a phone (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, { dates: 3 });
    const promoter = await newPromoter(browser, foyer.url, language, 'phone');
    const { page } = promoter;
    const { controls, general } = OPERATOR_TEXTS[language];
    for (const size of PHONES) {
      await page.setViewportSize(size);
      for (const path of ['', '/details', '/payments']) {
        await page.goto(`/operator/concerts/${sale.concertId}${path}`);
        const pause = promoter.button(controls.pause);
        await pause.waitFor();
        expect(await overflowing(page, size.width), `wider than ${size.width} px: ${path}`).toEqual([]);
        for (const position of [0, 700, 100_000]) {
          await page.evaluate((y) => {
            scrollTo(0, y);
          }, position);
          const box = await pause.boundingBox();
          expect(box?.y, path).toBeGreaterThan(0);
          expect((box?.y ?? Infinity) + (box?.height ?? 0), path).toBeLessThanOrEqual(size.height);
        }
      }
    }
    await page.setViewportSize({ width: 390, height: 664 });
    await page.reload();
    await promoter.button(controls.pause).waitFor();
    await page.evaluate(() => {
      scrollTo(0, 300);
    });
    await takeScreenshot(page, `operator-pause-bar-${language}`);
    await expectAccessible(page, 'the pause bar');
    await promoter.button(controls.pause).click();
    await promoter.button(controls.confirmPause).click();
    await promoter.button(controls.resume).waitFor();
    const policy = await foyer.client.get(
      `/operator/concerts/${sale.concertId}/waiting-room`,
      foyer.operator,
    );
    expect(policy.body).toMatchObject({ paused: true });
    expect(await promoter.link(general.details).count()).toBe(1);
    expect(promoter.consoleErrors).toEqual([]);
  });

  it.each(['', '/payments'])('is not shown an answer from before a pause (%s)', async (path) => {
    const sale = await openSale(foyer.client, foyer.operator);
    const promoter = await newPromoter(browser, foyer.url, 'en', 'phone');
    const { page } = promoter;
    const { controls } = OPERATOR_TEXTS.en;
    await page.goto(`/operator/concerts/${sale.concertId}${path}`);
    await promoter.button(controls.pause).waitFor();
    const answered = createGate();
    const paused = createGate();
    await page.route(
      `**/operator/concerts/${sale.concertId}`,
      async (route) => {
        const response = await route.fetch();
        answered.open();
        await paused.opened;
        // The page has given up this request.
        await route.fulfill({ response }).catch(() => undefined);
      },
      { times: 1 },
    );
    await poll(page);
    await answered.opened;
    await promoter.button(controls.pause).click();
    await promoter.button(controls.confirmPause).click();
    await promoter.button(controls.resume).waitFor();
    paused.open();
    await page.waitForTimeout(500);
    expect(await promoter.button(controls.pause).count()).toBe(0);
    expect(promoter.consoleErrors).toEqual([]);
  });

  it('sees on every page what another promoter changes, and overwrites none of it', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { concert: { title: 'Old title' } });
    const promoter = await newPromoter(browser, foyer.url, 'en', 'phone');
    const { page } = promoter;
    const { controls, form } = OPERATOR_TEXTS.en;
    const edit = (path: string, body: Readonly<Record<string, unknown>>) =>
      foyer.client.call('PATCH', `/operator/concerts/${sale.concertId}${path}`, {
        token: foyer.operator,
        body,
      });
    await page.getByRole('link', { name: 'Old title' }).waitFor();
    await edit('', { title: 'New title' });
    await poll(page);
    await page.getByRole('link', { name: 'New title' }).click();
    await promoter.button(controls.pause).waitFor();
    await page.goto(`/operator/concerts/${sale.concertId}/details`);
    const venue = page.getByLabel(form.venue, { exact: true });
    await venue.fill('My hall');
    await edit('', { title: 'Newest title' });
    await edit('/waiting-room', { paused: true });
    await poll(page);
    await promoter.heading('Newest title').waitFor();
    await promoter.button(controls.resume).waitFor();
    expect(await venue.inputValue()).toBe('My hall');
    await promoter.button(form.save).click();
    await page.getByText(form.saved).waitFor();
    const { body } = await foyer.client.get(`/concerts/${sale.concertId}`);
    expect(body).toMatchObject({ title: 'Newest title', venue: 'My hall' });
    expect(promoter.consoleErrors).toEqual([]);
  });

  it.each(['ko', 'en'] as const)('goes from a seat in the hall to its buyer (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, { dates: 2 });
    const buyer = await newFan(browser, { url: foyer.url });
    await buyer.join(sale);
    await buySeat(buyer);
    const holder = await newFan(browser, { url: foyer.url });
    await holder.join(sale);
    await holder.chooseDate();
    await holder.chooseSeats([1, 2]);
    await holder.holdSeats();

    const promoter = await newPromoter(browser, foyer.url, language);
    const { page } = promoter;
    const { breakdown, form, general, live, sales, seatOwner } = OPERATOR_TEXTS[language];
    const inWords = language === 'ko' ? 'A구역 1열 1번' : 'Section A, row 1, seat 1';
    await page.goto(`/operator/concerts/${sale.concertId}`);
    const byDate = page.getByRole('table').filter({ hasText: breakdown.date }).last();
    await expect.poll(() => byDate.getByRole('row').nth(1).innerText()).toMatch(/1\s+1\s+8$/);
    const byGrade = page.getByRole('region', { name: breakdown.byGrade }).last().getByRole('row');
    await expect.poll(() => byGrade.nth(1).innerText()).toMatch(/1\s+1\s+8\s+₩?10,000/);
    await page.getByLabel(live.listView).check();
    await page.locator('.seat-list summary').first().click();
    const seat = (number: number) => page.locator('.seat-list__seat').nth(number - 1);
    await seat(2).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(holder.email).waitFor();
    await dialog.getByText(seatOwner.states.HELD, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await seat(3).click();
    await dialog.getByText(seatOwner.free).waitFor();
    await page.keyboard.press('Escape');
    // On the map, Enter asks for the seat under the cursor.
    await page.getByLabel(live.mapView).check();
    await page.getByRole('listbox').press('Home');
    await page.getByRole('listbox').press('Control+Home');
    await page.getByRole('listbox').press('Enter');
    await dialog.getByText(buyer.email).waitFor();
    await dialog.getByRole('heading', { name: inWords, exact: true }).waitFor();
    await takeScreenshot(page, `operator-seat-owner-${language}`);
    await expectAccessible(page, 'the buyer of a seat');
    await dialog.getByRole('link', { name: seatOwner.openPayment }).click();
    await page.getByRole('row').filter({ hasText: buyer.email }).filter({ hasText: inWords }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).not.toBe('');

    await page.getByRole('searchbox').fill('');
    await page.getByLabel(sales.status).selectOption('REFUNDED');
    await page.getByText(sales.noneFiltered).waitFor();
    await page.getByLabel(sales.status).selectOption('PAID');
    await page.getByRole('row').filter({ hasText: buyer.email }).waitFor();
    await page.getByLabel(sales.date).selectOption({ index: 2 });
    await page.getByText(sales.noneFiltered).waitFor();
    await takeScreenshot(page, `operator-filters-${language}`);
    await expectAccessible(page, 'the filters of a list');
    // The link to the promoter's own tickets has the same name in Korean.
    await page.locator('.op-tabs').getByRole('link', { name: general.reservations }).click();
    await page.getByLabel(sales.status).selectOption('HELD');
    await page.getByRole('row').filter({ hasText: holder.email }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: buyer.email }).count()).toBe(0);

    // Details count held seats as held.
    await promoter.link(general.details).click();
    await page.getByText(`${general.sold('1', '10')} · ${general.held('1')}`).waitFor();
    await promoter.heading(form.dates).waitFor();
    await promoter.link(`← ${general.allConcerts}`).click();
    const row = page.locator('.op-concert').filter({ has: page.locator(`a[href$="${sale.concertId}"]`) });
    await expect.poll(() => row.innerText()).toContain(general.waiting('0'));
    expect(await row.innerText()).toContain(general.revenue(language === 'ko' ? '10,000원' : '₩10,000'));
    for (const device of ['phone', 'desktop'] as const) {
      await page.setViewportSize(SIZES[device]);
      await takeScreenshot(page, `operator-list-${device}-${language}`);
      await expectAccessible(page, `the list of concerts on a ${device}`);
    }
    await page.getByLabel(general.status, { exact: true }).selectOption('CLOSED');
    await row.waitFor({ state: 'detached' });
    await page.getByLabel(general.status, { exact: true }).selectOption('OPEN');
    await row.waitFor();
    await page.getByLabel(general.to, { exact: true }).fill('2020-01-01');
    await page.getByText(general.noneFiltered).waitFor();
    expect(promoter.consoleErrors).toEqual([]);
  });
});
