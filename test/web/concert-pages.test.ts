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
import { useOwnFoyer } from '../support/foyer.js';
import { pngImage } from '../support/images.js';
import { uploadPoster } from '../support/posters.js';
import { openSale, PRICE, type Sale } from '../support/sale.js';
import { OPERATOR } from '../support/server.js';
import { newFan } from './fan.js';

const OPERATOR_TEXTS = { ko, en } as const;
const VARIANTS = [
  { language: 'ko', device: 'phone' },
  { language: 'en', device: 'desktop' },
] as const satisfies { language: Language; device: Device }[];

const FACTS = {
  venue: 'Foyer Hall',
  description: 'One night only. 하룻밤의 공연.',
  runningMinutes: 110,
  minAge: 8,
  refundRules: [
    { daysBefore: 10, feePercent: 0 },
    { daysBefore: 1, feePercent: 30 },
    { daysBefore: 0, feePercent: 100 },
  ],
};
const SECTIONS = [
  { name: 'A', rows: 2, seatsPerRow: 4, grade: 'VIP', price: 3 * PRICE },
  { name: 'B', rows: 2, seatsPerRow: 4, grade: 'R', price: PRICE },
];

/** On a server of its own, because the home page shows every concert. */
describe('the pages of concerts', () => {
  const foyer = useOwnFoyer(sqlite);
  const browser = useBrowser();

  const open = (title: string, dates: number): Promise<Sale> =>
    openSale(foyer.client, foyer.operator, { concert: { ...FACTS, title }, sections: SECTIONS, dates });

  it.each(VARIANTS)(
    'say what a fan decides by: date, venue, price, facts and a poster ($language, $device)',
    async ({ language, device }) => {
      const drawn = await open(`Drawn Night ${language}`, 3);
      const pictured = await open(`Picture Night ${language}`, 1);
      await uploadPoster(foyer, pictured.concertId, pngImage(600, 800, '#274690'));
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;

      await page.goto('/');
      const card = page.locator('.concert-card', { hasText: `Picture Night ${language}` });
      await card.waitFor();
      await card.getByText('Foyer Hall').first().waitFor();
      await card.getByText(text.concerts.priceFrom(language === 'ko' ? '10,000원' : '₩10,000')).waitFor();
      await expect
        .poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(600);
      await takeScreenshot(page, `home-${device}-${language}`, true);
      await expectAccessible(page, 'the home page');

      await page.goto(`/concerts/${pictured.concertId}`);
      await page.getByRole('img', { name: text.concerts.posterOf(`Picture Night ${language}`) }).waitFor();
      for (const fact of [
        text.concerts.minutes('110'),
        text.concerts.fromAge(8),
        text.concerts.limitPerPerson(4),
        text.concerts.refundFee(0),
        text.concerts.refundFee(30),
        text.concerts.refundFee(100),
      ])
        await page.getByText(fact, { exact: true }).waitFor();
      await takeScreenshot(page, `concert-poster-${device}-${language}`, true);
      await expectAccessible(page, 'a concert with a poster');

      await page.goto(`/concerts/${drawn.concertId}`);
      await page.locator('.poster-drawn svg').waitFor();
      await takeScreenshot(page, `concert-drawn-${device}-${language}`, true);
      await expectAccessible(page, 'a concert with a drawn poster');
      expect(fan.consoleErrors).toEqual([]);
    },
  );

  it.each(VARIANTS)(
    'lead to the seats without an extra tap if there is one date, and count my tickets ($language, $device)',
    async ({ language, device }) => {
      const sale = await open(`Only Night ${language}`, 1);
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      await fan.join(sale);
      // No list of dates.
      await fan.heading(text.seats.title).waitFor();
      expect(new URL(page.url()).pathname).toBe(
        `/concerts/${sale.concertId}/dates/${sale.scheduleIds[0] ?? ''}`,
      );
      await fan.link(text.common.back).click();
      await fan.heading(`Only Night ${language}`).waitFor();
      await fan.link(text.concerts.resume).click();
      await fan.heading(text.seats.title).waitFor();
      await fan.chooseSeats([1, 1], [1, 2]);
      await fan.holdSeats();
      await fan.topUp();
      await fan.pay();

      await page.goto(`/concerts/${sale.concertId}`);
      await fan.link(text.concerts.youHaveTickets(2)).waitFor();
      await takeScreenshot(page, `concert-mine-${device}-${language}`);
      await expectAccessible(page, 'a concert with my tickets');
      await page.goto('/');
      await page
        .locator('.concert-card', { hasText: `Only Night ${language}` })
        .getByText(text.concerts.myTickets(2))
        .waitFor();
    },
  );

  it.each(VARIANTS)(
    'show how many seats of each grade are left ($language, $device)',
    async ({ language, device }) => {
      const sale = await open(`Two Nights ${language}`, 2);
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      await fan.join(sale);
      await fan.heading(text.dates.title).waitFor();
      const [vip, r] = language === 'ko' ? ['VIP석', 'R석'] : ['VIP', 'R'];
      for (const grade of [vip, r])
        await page
          .getByText(`${grade} ${text.dates.gradeLeft('8')}`)
          .first()
          .waitFor();
      await takeScreenshot(page, `dates-grades-${device}-${language}`);
      await expectAccessible(page, 'the dates with grades');
    },
  );

  it.each(['ko', 'en'] as const)('are filled in by the promoter (%s)', async (language) => {
    const sale = await openSale(foyer.client, foyer.operator, {
      concert: { title: `Plain Night ${language}` },
    });
    const promoter = await newFan(browser, { url: foyer.url, language });
    const { page, text } = promoter;
    const { facts, form, audit } = OPERATOR_TEXTS[language];
    await page.goto(`/sign-in?next=${encodeURIComponent(`/operator/concerts/${sale.concertId}/details`)}`);
    await page.getByLabel(text.account.email, { exact: true }).fill(OPERATOR.email);
    await page.getByLabel(text.account.password, { exact: true }).fill(OPERATOR.password);
    await page.keyboard.press('Enter');
    const field = (label: string) => page.getByLabel(label, { exact: true });

    await field(facts.runningMinutes).fill('95');
    await field(facts.minAge).fill('0');
    await promoter.button(facts.usualRules).click();
    // Rules in a wrong order are not sent.
    await field(facts.daysBefore).first().fill('2');
    await promoter.button(form.save).click();
    // One fault with its message, however many rows there are.
    const summary = page.getByRole('group', { name: form.errorCount(1) });
    await summary.getByText(OPERATOR_TEXTS[language].errors.ruleOrder).waitFor();
    await summary.getByRole('link', { name: facts.refundRules }).click();
    const rules = page.getByRole('group', { name: facts.refundRules });
    expect(await rules.evaluate((element) => element === document.activeElement)).toBe(true);
    await field(facts.daysBefore).first().fill('14');
    await promoter.button(form.save).click();
    await page.getByText(form.saved).waitFor();

    await field(facts.choosePoster).setInputFiles({
      name: 'notes.png',
      mimeType: 'image/png',
      buffer: Buffer.from('not a picture'),
    });
    await promoter.button(facts.uploadPoster).click();
    await page.getByText(text.refusals.IMAGE_TYPE_UNSUPPORTED).waitFor();
    await field(facts.choosePoster).setInputFiles({
      name: 'poster.png',
      mimeType: 'image/png',
      buffer: pngImage(300, 400, '#2a6f4e'),
    });
    await promoter.button(facts.uploadPoster).click();
    await page.getByText(facts.posterSaved).waitFor();
    await page.getByRole('img', { name: facts.poster }).waitFor();
    await takeScreenshot(page, `operator-facts-${language}`, true);
    await expectAccessible(page, 'facts and poster of a concert');

    const { body } = await foyer.client.get(`/concerts/${sale.concertId}`);
    expect(body).toMatchObject({ runningMinutes: 95, minAge: 0, poster: { width: 300, height: 400 } });
    expect(body.refundRules[0]).toEqual({ daysBefore: 14, feePercent: 0 });
    await page.goto(`/operator/concerts/${sale.concertId}/changes`);
    await page.getByText(audit.addedPoster(OPERATOR.email)).waitFor();

    await page.goto(`/operator/concerts/${sale.concertId}/details`);
    await promoter.button(facts.removePoster).click();
    await page.getByText(facts.posterRemoved).waitFor();
    expect((await foyer.client.get(`/concerts/${sale.concertId}`)).body.poster).toBeNull();
    expect(promoter.consoleErrors.filter((error) => !error.includes('415'))).toEqual([]);
  });
});
