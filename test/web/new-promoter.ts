import { en } from '../../web/src/operator/texts/en/index.js';
import { ko } from '../../web/src/operator/texts/ko/index.js';
import type { Device, Language, TestBrowser } from '../support/browser/index.js';
import { OPERATOR } from '../support/server.js';
import { type Fan, newFan } from './fan.js';

export const OPERATOR_TEXTS = { ko, en } as const;

/** Signs in as the operator and opens the list of concerts. */
export async function newPromoter(
  browser: TestBrowser,
  options: { url: string; language: Language; device?: Device },
): Promise<Fan> {
  const promoter = await newFan(browser, options);
  const { page, text } = promoter;
  const { general } = OPERATOR_TEXTS[options.language];
  await page.goto('/operator');
  await promoter.button(general.signInAsOperator).click();
  await page.getByLabel(text.account.email, { exact: true }).fill(OPERATOR.email);
  await page.getByLabel(text.account.password, { exact: true }).fill(OPERATOR.password);
  await page.getByRole('main').getByRole('button', { name: text.common.signIn, exact: true }).click();
  await promoter.heading(general.title).waitFor();
  return promoter;
}
