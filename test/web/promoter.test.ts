import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { en } from '../../web/src/operator/texts/en/index.js';
import { ko } from '../../web/src/operator/texts/ko/index.js';
import {
  type Device,
  expectAccessible,
  type Language,
  takeScreenshot,
  useBrowser,
} from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { OPERATOR } from '../support/server.js';
import { openSale } from '../support/sale.js';
import { type Fan, newFan } from './fan.js';

const TEXTS = { ko, en } as const;
const SIZES = { phone: { width: 390, height: 664 }, desktop: { width: 1280, height: 800 } } as const;

const PHONES = [
  { width: 360, height: 640 },
  { width: 375, height: 553 },
  { width: 664, height: 390 },
] as const;

/** The concert in the URL of one of its pages. */
const idIn = (url: string): string => /operator\/concerts\/([^/]+)/.exec(url)?.[1] ?? '';

describe('a promoter', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  async function newPromoter(language: Language, device: Device = 'desktop'): Promise<Fan> {
    const promoter = await newFan(browser, { url: foyer.url, language, device });
    const { page, text } = promoter;
    await page.goto('/operator');
    await promoter.button(TEXTS[language].general.signInAsOperator).click();
    await page.getByLabel(text.account.email, { exact: true }).fill(OPERATOR.email);
    await page.getByLabel(text.account.password, { exact: true }).fill(OPERATOR.password);
    await page.getByRole('main').getByRole('button', { name: text.common.signIn, exact: true }).click();
    await promoter.heading(TEXTS[language].general.title).waitFor();
    return promoter;
  }

  /** Buys a seat, from the dates to the receipt. */
  async function buySeat(fan: Fan): Promise<void> {
    await fan.chooseDate();
    await fan.chooseSeats([1, 1]);
    await fan.holdSeats();
    await fan.topUp();
    await fan.page.getByText(fan.text.checkout.balanceAfter).waitFor();
    await fan.pay();
  }

  it.each(['ko', 'en'] as const)(
    'creates a concert from sections and publishes it (%s)',
    async (language) => {
      const promoter = await newPromoter(language);
      const { page } = promoter;
      const { draft, general, form } = TEXTS[language];
      const title = `새 공연 ${language}`;
      await takeScreenshot(page, `operator-list-${language}`);
      await expectAccessible(page, 'the list of concerts');
      await promoter.link(general.newConcert).click();
      await page.getByLabel(form.concertTitle, { exact: true }).fill(title);
      // An incomplete form is not sent, and its invalid fields are marked.
      await promoter.button(form.create).click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
      await page.getByLabel(form.venue, { exact: true }).fill('Foyer Hall');
      await page.getByLabel(`${form.date(1)}: ${form.startsAt}`).fill('2027-03-01T19:30');
      const fill = async (label: string, value: string): Promise<void> =>
        page.getByLabel(label, { exact: true }).first().fill(value);
      await fill(form.sectionName, '가');
      await fill(form.rows, '5');
      await fill(form.seatsPerRow, '12');
      await fill(form.grade, 'R');
      await fill(form.price('KRW'), '88000');
      await page.getByText(form.previewSummary('60', 1)).waitFor();
      await takeScreenshot(page, `operator-new-${language}`, true);
      await expectAccessible(page, 'a new concert');
      await promoter.button(form.create).click();
      await promoter.heading(draft.title).waitFor();
      const id = idIn(page.url());
      expect((await foyer.client.get(`/concerts/${id}`)).status).toBe(404);
      // Without an opening time, the sale opens at once.
      await page.getByText(draft.opensAtOnce).waitFor();
      for (const device of ['phone', 'desktop'] as const) {
        await page.setViewportSize(SIZES[device]);
        await takeScreenshot(page, `operator-draft-${device}-${language}`, true);
        await expectAccessible(page, `a draft on a ${device}`);
      }
      await promoter.button(general.publish).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(draft.opensAtOnce).waitFor();
      await takeScreenshot(page, `operator-publish-${language}`);
      await promoter.button(draft.confirm).click();
      await promoter.button(TEXTS[language].controls.pause).waitFor();
      const overview = await foyer.client.get(`/concerts/${id}/overview`);
      expect(overview.body).toMatchObject({
        dates: [{ seatsTotal: 60 }],
        grades: [{ grade: 'R', price: 88_000 }],
      });
      expect(promoter.consoleErrors).toEqual([]);
    },
  );

  it('duplicates a concert as a draft, and cannot publish it once every date has begun', async () => {
    const { draft, form, general } = en;
    const { concertId } = await openSale(foyer.client, foyer.operator, {
      concert: { salesOpenAt: '2020-01-01T00:00:00.000Z' },
    });
    const promoter = await newPromoter('en');
    const { page } = promoter;
    const duplicate = async (days: string): Promise<void> => {
      await page.goto(`/operator/concerts/${concertId}`);
      await promoter.button(general.duplicate).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(general.shiftDays).fill(days);
      await dialog.getByRole('button', { name: general.duplicate, exact: true }).click();
      await promoter.heading(draft.title).waitFor();
    };
    await duplicate('-3000');
    await page.getByText(draft.allDatesBegun).waitFor();
    expect(await promoter.button(general.publish).isDisabled()).toBe(true);
    await expectAccessible(page, 'a draft that cannot be published');

    await duplicate('3');
    const copyId = idIn(page.url());
    await page.getByLabel(en.policy.startPaused).check();
    await page.getByText(draft.startsPaused).waitFor();
    await promoter.link(draft.changeTimes).click();
    await page.getByLabel(form.salesOpenAt).fill('');
    await promoter.button(form.save).click();
    await page.getByText(form.saved).waitFor();
    expect((await foyer.client.get(`/concerts/${copyId}`)).status).toBe(404);
    await promoter.link(draft.checkAndPublish).click();
    await promoter.button(general.publish).click();
    await promoter.button(draft.confirm).click();
    await promoter.button(en.controls.resume).waitFor();
    expect((await foyer.client.get(`/concerts/${copyId}`)).status).toBe(200);
    expect(promoter.consoleErrors).toEqual([]);
  });

  it('pauses and resumes a sale and follows it live', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { maxActive: 2 } });
    const promoter = await newPromoter('en');
    const { page } = promoter;
    const { controls, live, audit, general } = en;
    await page.goto(`/operator/concerts/${sale.concertId}`);
    await promoter.button(controls.pause).click();
    await promoter.button(controls.confirmPause).click();
    await page.getByText(controls.pausedNow).first().waitFor();

    const fan = await newFan(browser, { url: foyer.url });
    await fan.join(sale);
    await fan.page.getByText(fan.text.waiting.rank('1'), { exact: true }).first().waitFor();
    const waiting = page.getByRole('region', { name: live.waiting }).locator('.op-tile-value');
    await expect.poll(() => waiting.innerText()).toBe('1');

    await promoter.button(controls.resume).click();
    await promoter.button(controls.confirmResume).click();
    await buySeat(fan);
    const revenue = page.getByRole('region', { name: live.revenue }).locator('.op-tile-value');
    await expect.poll(() => revenue.innerText()).toBe('₩10,000');
    await takeScreenshot(page, 'operator-live-en', true);
    await expectAccessible(page, 'the live page');

    await promoter.link(general.audit).click();
    await page.getByText(audit.paused(OPERATOR.email)).waitFor();
    await page.getByText(audit.resumed(OPERATOR.email)).waitFor();
    await takeScreenshot(page, 'operator-changes-en');
    await expectAccessible(page, 'the changes');
    expect(promoter.consoleErrors).toEqual([]);
  });

  it.each(['ko', 'en'] as const)('changes the rules of a running sale in minutes (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { holdSeconds: 300 } });
    const promoter = await newPromoter(language);
    const { page } = promoter;
    const { audit, controls, errors, general, policy } = TEXTS[language];
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
    const promoter = await newPromoter(language, 'phone');
    const { page } = promoter;
    const { controls, general } = TEXTS[language];
    for (const size of PHONES) {
      await page.setViewportSize(size);
      for (const path of ['', '/details', '/payments']) {
        await page.goto(`/operator/concerts/${sale.concertId}${path}`);
        const pause = promoter.button(controls.pause);
        await pause.waitFor();
        for (const position of [0, 700, 100_000]) {
          await page.evaluate((y) => scrollTo(0, y), position);
          const box = await pause.boundingBox();
          expect(box?.y, path).toBeGreaterThan(0);
          expect((box?.y ?? Infinity) + (box?.height ?? 0), path).toBeLessThanOrEqual(size.height);
        }
      }
    }
    await page.setViewportSize({ width: 390, height: 664 });
    await page.evaluate(() => scrollTo(0, 300));
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

    const promoter = await newPromoter(language);
    const { page } = promoter;
    const { breakdown, form, general, live, sales, seatOwner } = TEXTS[language];
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
    await takeScreenshot(page, `operator-seat-owner-${language}`);
    await expectAccessible(page, 'the buyer of a seat');
    await dialog.getByRole('link', { name: seatOwner.openPayment }).click();
    await page.getByRole('row').filter({ hasText: buyer.email }).waitFor();
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
    await promoter.link(general.reservations).click();
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

  it.each(['ko', 'en'] as const)('ends a sale after a confirmation (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { maxActive: 0 } });
    const fan = await newFan(browser, { url: foyer.url, language, device: 'phone' });
    await fan.join(sale);
    await fan.page.getByText(fan.text.waiting.rank('1'), { exact: true }).first().waitFor();
    const promoter = await newPromoter(language);
    const { page } = promoter;
    const { controls, live } = TEXTS[language];
    await page.goto(`/operator/concerts/${sale.concertId}`);
    await promoter.button(controls.endSale).click();
    await page.getByText(controls.endUnpaid('0')).waitFor();
    await takeScreenshot(page, `operator-end-sale-${language}`);
    await promoter.button(controls.confirmEnd).click();
    await page.getByText(controls.closedNow).first().waitFor();
    await page.getByText(live.endedWithSale('1')).waitFor();
    await fan.heading(fan.text.waiting.closedTitle).waitFor();
    expect(promoter.consoleErrors).toEqual([]);
  });

  it('finds a payment, downloads the list and refunds it', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url });
    await fan.join(sale);
    await buySeat(fan);
    const promoter = await newPromoter('ko');
    const { page } = promoter;
    const { sales, general } = ko;
    await page.goto(`/operator/concerts/${sale.concertId}/payments`);
    await page.getByText(fan.email).first().waitFor();
    await takeScreenshot(page, 'operator-payments-ko');
    await expectAccessible(page, 'the payments');
    await page.getByRole('searchbox').fill('nobody@nowhere.example');
    await page.getByText(sales.noneFound('nobody@nowhere.example')).waitFor();
    await page.getByRole('searchbox').fill(fan.email.slice(0, 8));
    await page.getByText(fan.email).first().waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: new RegExp(`${sales.csv}|${sales.csvOfSearch}`) }).click();
    const file = await (await downloading).path();
    expect(await readFile(file, 'utf8')).toContain(fan.email);

    await page
      .getByRole('button', { name: new RegExp(sales.refundOf('.+')) })
      .first()
      .click();
    await takeScreenshot(page, 'operator-refund-ko');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /10,000/ })
      .click();
    await page.getByRole('table').getByText(sales.refunded, { exact: true }).waitFor();
    const stats = await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator);
    expect(stats.body).toMatchObject({ seatsSold: 0, revenue: 0 });
    await promoter.link(general.reservations).click();
    await page.getByRole('table').getByText(sales.states.CANCELLED, { exact: true }).waitFor();
    await expectAccessible(page, 'the reservations');
    // The fan's receipt shows the refund.
    await fan.page.reload();
    await fan.page
      .getByText(new RegExp(fan.text.receipt.refunded('.+')))
      .first()
      .waitFor();
  });

  it.each(['ko', 'en'] as const)('reads the report of a sale and the audit log (%s)', async (language) => {
    const { audit, general, report } = TEXTS[language];
    const sale = await openSale(foyer.client, foyer.operator);
    const buyer = await newFan(browser, { url: foyer.url });
    await buyer.join(sale);
    await buySeat(buyer);
    const promoter = await newPromoter(language);
    const { page } = promoter;
    await page.goto(`/operator/concerts/${sale.concertId}`);
    await promoter.link(report.name).click();
    const sales = page.getByRole('region', { name: report.sales, exact: true });
    await sales.getByText('10,000').waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await takeScreenshot(page, `operator-report-${width}-${language}`, true);
      await expectAccessible(page, `the report at ${width} px`);
    }
    await page.goto('/operator');
    await promoter.link(audit.all).click();
    await promoter.heading(audit.all).waitFor();
    await page.getByText(audit.created(OPERATOR.email)).first().waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await takeScreenshot(page, `operator-audit-${width}-${language}`);
      await expectAccessible(page, `the audit log at ${width} px`);
    }
    await promoter.link(`← ${general.allConcerts}`).click();
    await promoter.heading(general.title).waitFor();
    expect(promoter.consoleErrors).toEqual([]);
  });

  it('is required: a fan sees that the pages are for promoters', async () => {
    const fan = await newFan(browser, { url: foyer.url, language: 'en', device: 'phone' });
    await fan.page.goto('/sign-up');
    await fan.signUp();
    await fan.link(fan.text.common.myTickets).first().waitFor();
    await fan.page.goto('/operator');
    await fan.heading(en.general.forPromoters).waitFor();
    await takeScreenshot(fan.page, 'operator-not-one-en');
  });
});
