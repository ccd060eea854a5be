import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { en } from '../../web/src/operator/texts/en/index.js';
import { ko } from '../../web/src/operator/texts/ko/index.js';
import { expectAccessible, type Language, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { OPERATOR } from '../support/server.js';
import { openSale } from '../support/sale.js';
import { type Fan, newFan } from './fan.js';
import { buySeat, concertIdIn, newPromoter, OPERATOR_TEXTS, SIZES } from './promoter.js';

describe('a promoter', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  const promoterIn = (language: Language): Promise<Fan> => newPromoter(browser, foyer.url, language);

  it.each(['ko', 'en'] as const)(
    'creates a concert from sections and publishes it (%s)',
    async (language) => {
      const promoter = await promoterIn(language);
      const { page } = promoter;
      const { draft, general, form } = OPERATOR_TEXTS[language];
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
      const id = concertIdIn(page.url());
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
      await promoter.button(OPERATOR_TEXTS[language].controls.pause).waitFor();
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
    const promoter = await promoterIn('en');
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
    const copyId = concertIdIn(page.url());
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
    const promoter = await promoterIn('en');
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

  it.each(['ko', 'en'] as const)('ends a sale after a confirmation (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { maxActive: 0 } });
    const fan = await newFan(browser, { url: foyer.url, language, device: 'phone' });
    await fan.join(sale);
    await fan.page.getByText(fan.text.waiting.rank('1'), { exact: true }).first().waitFor();
    const promoter = await promoterIn(language);
    const { page } = promoter;
    const { controls, live } = OPERATOR_TEXTS[language];
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
    const promoter = await promoterIn('ko');
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
    await page.locator('.op-tabs').getByRole('link', { name: general.reservations }).click();
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
    const { audit, general, report } = OPERATOR_TEXTS[language];
    const sale = await openSale(foyer.client, foyer.operator);
    const buyer = await newFan(browser, { url: foyer.url });
    await buyer.join(sale);
    await buySeat(buyer);
    const promoter = await promoterIn(language);
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
