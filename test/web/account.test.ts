import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { expectAccessible, takeScreenshot, useBrowser } from '../support/browser/index.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { joinActive, openSale, signUpFan } from '../support/sale.js';
import { type Fan, newFan } from './fan.js';

const PASSWORD = 'fan-password';
const NEW_PASSWORD = 'another-password';
const VARIANTS = [
  { language: 'ko', device: 'phone' },
  { language: 'en', device: 'desktop' },
] as const;

describe('the account page', () => {
  const foyer = useFoyer(sqlite);
  const browser = useBrowser();

  const type = async ({ page }: Fan, label: string, value: string): Promise<void> => {
    const field = page.getByLabel(label, { exact: true });
    await field.focus();
    await field.fill(value);
  };
  const signInWith = async (fan: Fan, email: string, password: string): Promise<void> => {
    const { text, page } = fan;
    await type(fan, text.account.email, email);
    await type(fan, text.account.password, password);
    await page.keyboard.press('Enter');
  };
  const toMyAccount = async (fan: Fan): Promise<void> => {
    await fan.link(fan.text.common.myTickets).click();
    await fan.link(fan.text.account.title).click();
    await fan.heading(fan.text.account.title).waitFor();
  };

  it.each(VARIANTS)('changes the password in $language on a $device', async ({ language, device }) => {
    const fan = await newFan(browser, { url: foyer.url, language, device });
    const { page, text } = fan;
    await page.goto('/sign-up');
    await fan.signUp();
    await toMyAccount(fan);
    await takeScreenshot(page, `account-${device}-${language}`);
    await expectAccessible(page, 'account');

    await type(fan, text.account.newPassword, 'short');
    await page.keyboard.press('Enter');
    await page.getByText(text.account.passwordMissing).waitFor();
    await page.getByText(text.account.passwordShort(8)).waitFor();
    await type(fan, text.account.currentPassword, 'wrong-password');
    await type(fan, text.account.newPassword, NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(text.account.currentPasswordWrong).waitFor();
    await takeScreenshot(page, `account-wrong-${device}-${language}`);
    await expectAccessible(page, 'account with an error');

    await type(fan, text.account.currentPassword, PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(text.account.passwordChanged).waitFor();
    // The page has a new session: it stays signed in.
    await page.reload();
    await fan.heading(text.account.changePassword).waitFor();
    const answer = await foyer.client.post('/sessions', undefined, {
      email: fan.email,
      password: NEW_PASSWORD,
    });
    expect(answer.status).toBe(201);
  });

  it.each(VARIANTS)(
    'waits for a slow sign-in and says why in $language on a $device',
    async ({ language, device }) => {
      const account = await signUpFan(foyer.client);
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      await page.route('**/api/v1/sessions', async (route) => {
        await sleep(17_000);
        await route.continue();
      });
      await page.goto('/sign-in?next=%2Fmine');
      await signInWith(fan, account.email, PASSWORD);
      await page.getByText(text.account.manySigningIn).waitFor();
      await takeScreenshot(page, `sign-in-slow-${device}-${language}`);
      await expectAccessible(page, 'a slow sign-in');
      await fan.heading(text.myTickets.title).waitFor();
    },
  );

  it.each(VARIANTS)('signs out everywhere in $language on a $device', async ({ language, device }) => {
    const account = await signUpFan(foyer.client);
    const here = await newFan(browser, { url: foyer.url, language, device });
    const there = await newFan(browser, { url: foyer.url, language, device });
    for (const fan of [here, there]) {
      await fan.page.goto('/sign-in?next=%2Fmine');
      await signInWith(fan, account.email, PASSWORD);
      await fan.heading(fan.text.myTickets.title).waitFor();
    }
    await toMyAccount(here);
    await here.button(here.text.account.signOutEverywhere).click();
    const dialog = here.page.getByRole('dialog');
    await dialog.waitFor();
    await takeScreenshot(here.page, `sign-out-everywhere-${device}-${language}`);
    await expectAccessible(here.page, 'sign out everywhere');
    await dialog.getByRole('button', { name: here.text.account.signOutEverywhere, exact: true }).click();
    await here.page.getByText(here.text.account.signedOutEverywhere).waitFor();
    await here.link(here.text.common.signIn).waitFor();

    // The other device is told why, and returns to where it was.
    await there.page.reload();
    await there.page.getByText(there.text.account.sessionExpired).waitFor();
    await takeScreenshot(there.page, `session-ended-${device}-${language}`);
    await expectAccessible(there.page, 'session ended');
    await signInWith(there, account.email, PASSWORD);
    await there.heading(there.text.myTickets.title).waitFor();
  });

  it.each(VARIANTS)(
    'takes a typed address along to sign-up and to a forgotten password in $language on a $device',
    async ({ language, device }) => {
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      const email = page.getByLabel(text.account.email, { exact: true });
      await page.goto('/sign-in?next=%2Faccount');
      await type(fan, text.account.email, 'jimin@fans.example');
      await page.getByRole('main').getByRole('link', { name: text.common.signUp, exact: true }).click();
      await fan.heading(text.account.signUpTitle).waitFor();
      expect(await email.inputValue()).toBe('jimin@fans.example');
      await page.getByRole('main').getByRole('link', { name: text.common.signIn, exact: true }).click();
      await fan.heading(text.account.signInTitle).waitFor();
      await fan.link(text.mailedLinks.forgot).click();
      await fan.heading(text.mailedLinks.forgotTitle).waitFor();
      expect(await email.inputValue()).toBe('jimin@fans.example');

      // On a shared machine the next person does not see it.
      await page.goto('/sign-up?next=%2Faccount');
      await fan.signUp();
      await fan.button(text.account.signOutHere).click();
      await fan.link(text.common.signIn).click();
      await fan.heading(text.account.signInTitle).waitFor();
      expect(await email.inputValue()).toBe('');
    },
  );

  it.each(VARIANTS)(
    'shows a toast below the header in $language on a $device',
    async ({ language, device }) => {
      const fan = await newFan(browser, { url: foyer.url, language, device });
      const { page, text } = fan;
      await page.goto('/sign-up?next=%2Faccount');
      await fan.signUp();
      await fan.button(text.account.signOutHere).click();
      const toast = page.locator('.toast', { hasText: text.common.signedOut });
      await toast.waitFor();
      await takeScreenshot(page, `toast-${device}-${language}`);
      const header = await page.locator('.header').boundingBox();
      const box = await toast.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      expect((await toast.boundingBox())?.y).toBeGreaterThanOrEqual(header?.height ?? 0);
    },
  );

  it.each(VARIANTS)(
    'shows a toast below the bar of a place in $language on a $device',
    async ({ language, device }) => {
      const { client, operator, url } = foyer;
      const sale = await openSale(client, operator, { policy: { maxActive: 0 } });
      const fan = await newFan(browser, { url, language, device });
      const { page, text } = fan;
      await fan.join(sale);
      await page.getByText(text.waiting.rankLabel, { exact: true }).waitFor();
      await page.goto('/mine');
      const bar = page.locator('.place-bar');
      await bar.waitFor();
      await fan.topUp();
      const toast = page.locator('.toast');
      await toast.waitFor();
      await takeScreenshot(page, `toast-below-bar-${device}-${language}`);
      const bottomOfBar = async (): Promise<number> => {
        const box = await bar.boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      };
      expect((await toast.boundingBox())?.y).toBeGreaterThanOrEqual(await bottomOfBar());
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      expect((await toast.boundingBox())?.y).toBeGreaterThanOrEqual(await bottomOfBar());
      // A link to a part of the page leaves that part below the bar.
      const padding = await page.evaluate(() =>
        parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
      );
      expect(padding).toBeGreaterThan(await bottomOfBar());
    },
  );

  it('signs out on this device only, and ends the session on the server', async () => {
    const account = await signUpFan(foyer.client);
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    await fan.page.goto('/sign-in?next=%2Faccount');
    await signInWith(fan, account.email, PASSWORD);
    await fan.heading(fan.text.account.devices).waitFor();
    const ended = fan.page.waitForResponse((response) => response.url().endsWith('/sessions/me'));
    await fan.button(fan.text.account.signOutHere).click();
    await fan.page.getByText(fan.text.common.signedOut).waitFor();
    expect((await ended).status()).toBe(204);
    expect((await foyer.client.get('/users/me', account.accessToken)).status).toBe(200);
  });

  it('keeps the place in line of a fan whose session was ended elsewhere', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, { policy: { maxActive: 1 } });
    await joinActive(client, await signUpFan(client), sale);
    const account = await signUpFan(client);
    const fan = await newFan(browser, { url: foyer.url, language: 'en' });
    const { page, text } = fan;
    await page.goto(`/sign-in?next=${encodeURIComponent(`/concerts/${sale.concertId}/waiting`)}`);
    await signInWith(fan, account.email, PASSWORD);
    await page.getByText(text.waiting.rankLabel).first().waitFor();
    const before = (await client.post(`/concerts/${sale.concertId}/queue-tokens`, account.accessToken)).body;
    expect((await client.delete('/sessions', account.accessToken)).status).toBe(204);

    await page.getByText(text.account.sessionExpired).waitFor();
    await signInWith(fan, account.email, PASSWORD);
    await page.getByText(text.waiting.rankLabel).first().waitFor();
    const session = await client.post('/sessions', undefined, { email: account.email, password: PASSWORD });
    const after = await client.post(`/concerts/${sale.concertId}/queue-tokens`, session.body.accessToken);
    expect(after.status).toBe(200);
    expect(after.body).toMatchObject({ joinedAt: before.joinedAt, rank: before.rank, status: 'WAITING' });
  });
});
