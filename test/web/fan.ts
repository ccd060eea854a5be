import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { en } from '../../web/src/i18n/en/index.js';
import { ko } from '../../web/src/i18n/ko/index.js';
import type { Language, TestBrowser, Visitor, VisitOptions } from '../support/browser/index.js';
import type { Sale } from '../support/sale.js';

const TEXTS = { ko, en } as const;
type Texts = typeof en;

/** A fan who uses the pages by their visible texts. */
export interface Fan extends Visitor {
  readonly text: Texts;
  readonly language: Language;
  readonly email: string;
  button(name: string | RegExp): Locator;
  link(name: string | RegExp): Locator;
  heading(name: string | RegExp): Locator;
  /** Fills in and submits the sign-up form. */
  signUp(): Promise<void>;
  signIn(email: string): Promise<void>;
  /** Opens the concert's page and joins the waiting room with a new account. */
  join(sale: Sale): Promise<void>;
  chooseDate(): Promise<void>;
  /** Chooses seats in the list view. */
  chooseSeats(...seats: readonly (readonly [row: number, number: number])[]): Promise<void>;
  holdSeats(): Promise<void>;
  topUp(): Promise<void>;
  pay(): Promise<void>;
}

const PASSWORD = 'fan-password';

export async function newFan(browser: TestBrowser, options: VisitOptions): Promise<Fan> {
  const visitor = await browser.visit(options);
  return asFan(visitor, options.language ?? 'ko');
}

export function asFan(visitor: Visitor, language: Language): Fan {
  const { page } = visitor;
  const text: Texts = TEXTS[language];
  const email = `${randomUUID()}@fans.example`;
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp): Locator => page.getByRole('link', { name, exact: true });
  const heading = (name: string | RegExp): Locator => page.getByRole('heading', { name, exact: true });
  const field = (name: string): Locator => page.getByLabel(name, { exact: true });
  const main = page.getByRole('main');

  return {
    ...visitor,
    text,
    language,
    email,
    button,
    link,
    heading,

    async signUp() {
      await field(text.account.name).fill(language === 'ko' ? '김지민' : 'Jimin Kim');
      await field(text.account.email).fill(email);
      await field(text.account.password).fill(PASSWORD);
      await main.getByRole('button', { name: text.common.signUp, exact: true }).click();
    },

    async signIn(known) {
      await field(text.account.email).fill(known);
      await field(text.account.password).fill(PASSWORD);
      await main.getByRole('button', { name: text.common.signIn, exact: true }).click();
    },

    async join({ concertId }) {
      await page.goto(`/concerts/${concertId}`);
      await link(text.concerts.join).click();
      await main.getByRole('link', { name: text.common.signUp, exact: true }).click();
      await this.signUp();
    },

    async chooseDate() {
      const dates = heading(text.dates.title);
      const seats = heading(text.seats.title);
      // A concert with one date goes straight to its seats.
      await dates.or(seats).first().waitFor();
      if (await dates.isVisible()) await link(text.dates.choose).first().click();
      await seats.waitFor();
    },

    async chooseSeats(...seats) {
      await button(text.seats.asList).click();
      const section = page.locator('details', { has: page.locator('summary .seat-list__name') }).first();
      if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
      for (const [row, number] of seats) await seatInList(page, language, row, number).click();
    },

    async holdSeats() {
      await button(text.seats.hold).click();
      await heading(text.checkout.title).waitFor();
    },

    async topUp() {
      await button(text.checkout.topUp).click();
    },

    async pay() {
      await button(payButton(text)).click();
      await heading(text.receipt.title).waitFor();
    },
  };
}

/** The pay button with any amount. */
export const payButton = (text: Texts): RegExp =>
  new RegExp(`^${text.checkout.pay('AMOUNT').replace('AMOUNT', '.*[0-9].*')}$`);

export const seatInList = (page: Page, language: Language, row: number, number: number): Locator =>
  page.getByRole('checkbox', {
    name:
      language === 'ko'
        ? new RegExp(`${row}열 ${number}번,`)
        : new RegExp(`row ${row}, seat ${number},`, 'i'),
  });
