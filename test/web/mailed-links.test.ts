import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { en } from '../../web/src/operator/texts/en/index.js';
import { ko } from '../../web/src/operator/texts/ko/index.js';
import { type Device, expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { linkTo } from '../support/mailbox.js';
import { OPERATOR } from '../support/server.js';
import { signUpFan } from '../support/sale.js';
import { type Fan, newFan } from './fan.js';

const OPERATOR_TEXTS = { ko, en } as const;
const NEW_PASSWORD = 'another password';

/** Each page in both languages, one of them on a phone. */
const VISITS = [
  { language: 'ko', device: 'phone' },
  { language: 'en', device: 'desktop' },
] as const;

describe('links in mails', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  /** The path of the link in the newest mail to this address; the test servers have no public address. */
  async function pathTo(email: string): Promise<string> {
    const { pathname, hash } = await linkTo(foyer.client, foyer.operator, email);
    return `${pathname}${hash}`;
  }

  async function check({ page }: Fan, name: string, { language, device }: (typeof VISITS)[number]) {
    await takeScreenshot(page, `${name}-${language}-${device satisfies Device}`, true);
    await expectAccessible(page, name);
  }

  async function signIn({ page, text }: Fan, email: string, password: string): Promise<void> {
    await page.getByLabel(text.account.email, { exact: true }).fill(email);
    await page.getByLabel(text.account.password, { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: text.common.signIn, exact: true }).click();
  }

  it.each(VISITS)('let a fan choose a new password ($language)', async (visit) => {
    const { email } = await signUpFan(foyer.client);
    const fan = await newFan(browser, { url: foyer.url, ...visit });
    const { page, text } = fan;
    await page.goto('/sign-in');
    await fan.link(text.mailedLinks.forgot).click();
    await fan.heading(text.mailedLinks.forgotTitle).waitFor();
    // An incomplete address is not sent.
    await page.getByLabel(text.account.email, { exact: true }).fill('nobody');
    await fan.button(text.mailedLinks.sendLink).click();
    await page.getByText(text.account.emailInvalid).waitFor();
    await page.getByLabel(text.account.email, { exact: true }).fill(email);
    await fan.button(text.mailedLinks.sendLink).click();
    await page.getByText(text.mailedLinks.linkSentHint(email)).waitFor();
    await check(fan, 'forgot-password', visit);

    await page.goto(await pathTo(email));
    await fan.heading(text.mailedLinks.resetTitle).waitFor();
    await check(fan, 'reset-password', visit);
    const used = page.url();
    await page.getByLabel(text.mailedLinks.newPassword, { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(text.mailedLinks.passwordSet).waitFor();
    await signIn(fan, email, NEW_PASSWORD);
    await fan.button(text.common.signOut).waitFor();
    expect(fan.consoleErrors).toEqual([]);

    // The link works once.
    await page.goto(used);
    await page.getByLabel(text.mailedLinks.newPassword, { exact: true }).fill('a third password');
    await fan.button(text.mailedLinks.setPassword).click();
    await page.getByText(text.refusals.RESET_TOKEN_INVALID).waitFor();
    await page.goto('/reset-password');
    await page.getByText(text.mailedLinks.linkIncomplete).waitFor();
  });

  it.each(VISITS)('verify the address of a fan ($language)', async (visit) => {
    const { email } = await signUpFan(foyer.client);
    const fan = await newFan(browser, { url: foyer.url, ...visit });
    const { page, text } = fan;
    await page.goto('/sign-in?next=/mine');
    await signIn(fan, email, 'fan-password');
    await page.getByText(text.mailedLinks.notVerifiedHint(email)).waitFor();
    await check(fan, 'verify-hint', visit);
    await fan.button(text.mailedLinks.sendVerification).click();
    await page.getByText(text.mailedLinks.verificationSent(email)).waitFor();
    await page.goto(await pathTo(email));
    await page.getByText(text.mailedLinks.verified).waitFor();
    await check(fan, 'verify-email', visit);
    await page.goto('/mine');
    await fan.heading(text.myTickets.title).waitFor();
    await page.getByText(text.myTickets.noReceipts).waitFor();
    expect(await page.getByText(text.mailedLinks.notVerified).count()).toBe(0);
    expect(fan.consoleErrors).toEqual([]);
    await page.goto('/verify-email#unknown');
    await page.getByText(text.refusals.VERIFICATION_TOKEN_INVALID).waitFor();
  });

  it.each(VISITS)('make an invited person an operator ($language)', async (visit) => {
    const { general, mailbox, team } = OPERATOR_TEXTS[visit.language];
    const email = `${randomUUID()}@staff.example`;
    const promoter = await newFan(browser, { url: foyer.url, ...visit });
    const { page, text } = promoter;
    await page.goto('/sign-in?next=/operator');
    await signIn(promoter, OPERATOR.email, OPERATOR.password);
    await promoter.link(team.title).click();
    await promoter.heading(team.title).waitFor();
    await page.getByLabel(team.name, { exact: true }).fill('박운영');
    await page.getByLabel(team.email, { exact: true }).fill(email);
    await promoter.button(team.invite).click();
    await page.getByText(team.invited(email)).waitFor();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText(team.statuses.INVITED).waitFor();
    await check(promoter, 'operators', visit);
    await page.goto('/operator');
    await promoter.link(mailbox.title).click();
    const mail = page.getByRole('listitem').filter({ hasText: email });
    await mail.getByRole('link').waitFor();
    await page.getByText(mailbox.notSent).waitFor();
    await takeScreenshot(page, `mailbox-${visit.language}-${visit.device}`);
    await expectAccessible(page, 'the mailbox');

    const invited = await newFan(browser, { url: foyer.url, ...visit });
    await invited.page.goto(await pathTo(email));
    await invited.heading(text.mailedLinks.invitationTitle).waitFor();
    await check(invited, 'accept-invitation', visit);
    await invited.page.getByLabel(text.mailedLinks.newPassword, { exact: true }).fill(NEW_PASSWORD);
    await invited.button(text.mailedLinks.setPassword).click();
    await invited.page.getByText(text.mailedLinks.invitationAccepted).waitFor();
    await signIn(invited, email, NEW_PASSWORD);
    await invited.heading(general.title).waitFor();

    await page.goto('/operator/operators');
    await row.getByText(team.statuses.ACTIVE).waitFor();
    await row.getByRole('button', { name: team.remove, exact: true }).click();
    await page.getByText(team.removeHint).waitFor();
    await check(promoter, 'remove-operator', visit);
    await page.getByRole('dialog').getByRole('button', { name: team.remove, exact: true }).click();
    await page.getByText(team.removed('박운영')).waitFor();
    expect(promoter.consoleErrors).toEqual([]);
    // The removed operator is signed out at once.
    await invited.page.goto('/operator/operators');
    await invited.button(general.signInAsOperator).waitFor();
  });
});
