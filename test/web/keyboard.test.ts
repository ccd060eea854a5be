import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { newFan, payButton } from './fan.js';

const TABS_MAX = 60;

/** Presses Tab until an element with that name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
      return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
    });
    if (typeof name === 'string' ? focused.startsWith(name) : name.test(focused)) return;
  }
  throw new Error(`not reachable with the Tab key: ${String(name)}`);
}

describe('with the keyboard only', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  it('a fan gets from the list of concerts to the receipt', async () => {
    const concert = { title: 'Keyboard Night' };
    await openSale(foyer.client, foyer.operator, { concert });
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    const { page, text } = fan;
    const activate = async (name: string | RegExp): Promise<void> => {
      await tabTo(page, name);
      await page.keyboard.press('Enter');
    };
    const type = async (label: string, value: string): Promise<void> => {
      await tabTo(page, label);
      await page.keyboard.type(value);
    };
    await page.goto('/');
    await page.getByRole('heading', { name: concert.title }).waitFor();
    await activate(/Keyboard Night/);
    await fan.link(text.concerts.join).waitFor();
    await activate(text.concerts.join);
    await fan.heading(text.account.signInTitle).waitFor();
    await activate(text.common.signUp);
    await fan.heading(text.account.signUpTitle).waitFor();
    await type(text.account.name, 'Jimin');
    await type(text.account.email, fan.email);
    await type(text.account.password, 'fan-password');
    await page.keyboard.press('Enter');
    await fan.heading(text.seats.title).waitFor();
    await page.locator('canvas').first().waitFor();

    await tabTo(page, /Seat map/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText(text.seats.chosen(1, 4)).waitFor();
    await takeScreenshot(page, 'keyboard-seat-map-en');
    await activate(text.seats.hold);
    await fan.heading(text.checkout.title).waitFor();
    await fan.button(text.checkout.topUp).waitFor();
    await activate(text.checkout.topUp);
    await expect.poll(() => fan.button(payButton(text)).isEnabled()).toBe(true);
    await activate(payButton(text));
    await fan.heading(text.receipt.title).waitFor();
  });
});
