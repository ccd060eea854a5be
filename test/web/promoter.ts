import { en } from '../../web/src/operator/texts/en/index.js';
import { ko } from '../../web/src/operator/texts/ko/index.js';
import type { Device, Language, TestBrowser } from '../support/browser/index.js';
import { OPERATOR } from '../support/server.js';
import { type Fan, newFan } from './fan.js';

export const OPERATOR_TEXTS = { ko, en } as const;
export const SIZES = { phone: { width: 390, height: 664 }, desktop: { width: 1280, height: 800 } } as const;

/** Signs a promoter in and opens the list of concerts. */
export async function newPromoter(
  browser: TestBrowser,
  url: string,
  language: Language,
  device: Device = 'desktop',
): Promise<Fan> {
  const promoter = await newFan(browser, { url, language, device });
  const { page, text } = promoter;
  await page.goto('/operator');
  await promoter.button(OPERATOR_TEXTS[language].general.signInAsOperator).click();
  await page.getByLabel(text.account.email, { exact: true }).fill(OPERATOR.email);
  await page.getByLabel(text.account.password, { exact: true }).fill(OPERATOR.password);
  await page.getByRole('main').getByRole('button', { name: text.common.signIn, exact: true }).click();
  await promoter.heading(OPERATOR_TEXTS[language].general.title).waitFor();
  return promoter;
}

/** Buys a seat, from the dates to the receipt. */
export async function buySeat(fan: Fan): Promise<void> {
  await fan.chooseDate();
  await fan.chooseSeats([1, 1]);
  await fan.holdSeats();
  await fan.topUp();
  await fan.page.getByText(fan.text.checkout.balanceAfter).waitFor();
  await fan.pay();
}

/** The concert in the address of one of the promoter's pages. */
export const concertIdIn = (url: string): string => /operator\/concerts\/([^/]+)/.exec(url)?.[1] ?? '';
