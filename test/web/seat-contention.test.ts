import { describe, expect, it } from 'vitest';
import { takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { type Fan, newFan, seatInList } from './fan.js';

describe('seats in the browser', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('are held by one of two fans; the other gets a message and sees them taken', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const one = await newFan(browser, { url: foyer.url });
    const other = await newFan(browser, { url: foyer.url, language: 'en', device: 'phone' });
    for (const fan of [one, other]) {
      await fan.join(sale);
      await fan.chooseDate();
      await fan.chooseSeats([1, 2]);
    }
    const isHeld = async (fan: Fan): Promise<boolean> => {
      await fan.button(fan.text.seats.hold).click();
      const held = fan
        .heading(fan.text.checkout.title)
        .waitFor()
        .then(() => true);
      const refused = fan.page
        .getByText(new RegExp(`${fan.text.refusals.ALREADY_RESERVED_SEAT}|${fan.text.seats.lost}`))
        .first()
        .waitFor()
        .then(() => false);
      return Promise.race([held, refused]);
    };
    const outcomes = await Promise.all([one, other].map(isHeld));
    expect([...outcomes].sort()).toEqual([false, true]);
    const loser = outcomes[0] === true ? other : one;
    await takeScreenshot(loser.page, `too-late-${loser.language}`);
    const seat = seatInList(loser.page, loser.language, 1, 2);
    await expect.poll(() => seat.getAttribute('aria-disabled')).toBe('true');
    // The lost seat is no longer chosen; another one can be held.
    await loser.chooseSeats([1, 3]);
    await loser.holdSeats();
  });

  it('become free again when a hold expires, and the fan gets a message', async () => {
    const sale = await openSale(foyer.client, foyer.operator, { policy: { holdSeconds: 4 } });
    const fan = await newFan(browser, { url: foyer.url });
    const watcher = await newFan(browser, { url: foyer.url });
    await watcher.join(sale);
    await watcher.chooseDate();
    await watcher.chooseSeats();
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([2, 1]);
    await fan.holdSeats();
    const seat = seatInList(watcher.page, 'ko', 2, 1);
    await expect.poll(() => seat.getAttribute('aria-disabled')).toBe('true');
    await fan.page.getByText(fan.text.checkout.expired).waitFor();
    await takeScreenshot(fan.page, 'hold-ran-out-ko');
    await expect.poll(() => seat.getAttribute('aria-disabled')).toBe('false');
    await fan.link(fan.text.checkout.chooseAgain).click();
    await fan.heading(fan.text.seats.title).waitFor();
  });

  it('can be chosen by the server, side by side', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    await fan.join(sale);
    await fan.chooseDate();
    await fan.page.getByText(fan.text.seats.best, { exact: true }).click();
    await fan.page.getByLabel(fan.text.seats.count).selectOption('3');
    await fan.button(fan.text.seats.holdBest).click();
    await fan.heading(fan.text.checkout.title).waitFor();
    const seats = fan.page.getByRole('table', { name: fan.text.checkout.seats }).getByRole('row');
    await expect.poll(() => seats.count()).toBe(1 + 3);
  });

  it('are paid once even if the button is pressed several times', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const fan = await newFan(browser, { url: foyer.url });
    await fan.join(sale);
    await fan.chooseDate();
    await fan.chooseSeats([1, 1]);
    await fan.holdSeats();
    await fan.topUp();
    await fan.page.getByText(fan.text.checkout.balanceAfter).waitFor();
    const payments: string[] = [];
    fan.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/payments'))
        payments.push(request.headers()['idempotency-key'] ?? '');
    });
    await fan.page.evaluate(() => {
      const button = [...document.querySelectorAll('button')].find((each) => /\d/.test(each.textContent));
      for (let press = 0; press < 5; press += 1) button?.click();
    });
    await fan.heading(fan.text.receipt.title).waitFor();
    expect(new Set(payments).size).toBe(1);
    const stats = await foyer.client.get(`/operator/concerts/${sale.concertId}/stats`, foyer.operator);
    expect(stats.body).toMatchObject({ seatsSold: 1, done: 1 });
  });
});
