import { mkdir } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { findChromium } from './chromium.js';

const INSTALL_MAX_MS = 300_000;
const ELEMENT_MAX_MS = 30_000;

export type Device = 'phone' | 'desktop';
export type Language = 'ko' | 'en';

const SIZES: Readonly<Record<Device, { readonly width: number; readonly height: number }>> = {
  phone: { width: 360, height: 780 },
  desktop: { width: 1280, height: 800 },
};
const LOCALES: Readonly<Record<Language, string>> = { ko: 'ko-KR', en: 'en-US' };

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and uncaught exceptions. */
  readonly consoleErrors: readonly string[];
}

export interface VisitOptions {
  readonly url: string;
  readonly language?: Language;
  readonly device?: Device;
  /** Instead of the device's usual size. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly timeZone?: string;
  readonly isDark?: boolean;
}

export interface TestBrowser {
  /** Opens a page in its own browser context: nothing is shared with other visitors. */
  visit(options: VisitOptions): Promise<Visitor>;
}

/** One Chromium per describe block; its contexts are closed after each test. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    const executablePath = await findChromium();
    // Chromium has no sandbox as root, and containers have little shared memory.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  }, INSTALL_MAX_MS);

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  afterAll(async () => {
    await browser?.close();
  });

  return {
    async visit({
      url,
      language = 'ko',
      device = 'desktop',
      size = SIZES[device],
      timeZone = 'Asia/Seoul',
      isDark = false,
    }) {
      if (!browser) throw new Error('the browser has not been started');
      const context = await browser.newContext({
        baseURL: url,
        locale: LOCALES[language],
        timezoneId: timeZone,
        viewport: size,
        colorScheme: isDark ? 'dark' : 'light',
        hasTouch: device === 'phone',
        isMobile: device === 'phone',
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      context.setDefaultTimeout(ELEMENT_MAX_MS);
      const page = await context.newPage();
      const consoleErrors: string[] = [];
      page.on('pageerror', (error) => consoleErrors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') consoleErrors.push(message.text());
      });
      return { page, context, consoleErrors };
    },
  };
}

/** Saves a screenshot in `test-results/screenshots/`. */
export async function takeScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  const directory = 'test-results/screenshots';
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: `${directory}/${name}.png`, fullPage });
}
