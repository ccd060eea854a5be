import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../machine/install.js';
import { run } from '../machine/run.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const WHAT_TO_DO =
  'Chromium was not found: install it (on Debian the package chromium), or set FOYER_TEST_CHROMIUM to its program.';
const WHAT_TO_DO_FOR_FONTS =
  'No font has Korean letters, and the pages are looked at in Korean: install one (on Debian the package fonts-nanum).';

/** Chromium's program, after installing it where that is possible, and a font for what it shows. */
export async function findChromium(): Promise<string> {
  const program = (await lookForChromium()) ?? (await installChromium());
  if (!(await hasKoreanFont())) await installPackages(['fonts-nanum'], WHAT_TO_DO_FOR_FONTS);
  return program;
}

async function installChromium(): Promise<string> {
  await installPackages(['chromium'], WHAT_TO_DO);
  const installed = await lookForChromium();
  if (installed === undefined) throw new Error(WHAT_TO_DO);
  return installed;
}

async function lookForChromium(): Promise<string | undefined> {
  const given = process.env['FOYER_TEST_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const directories = (process.env['PATH'] ?? '').split(':').filter((directory) => directory !== '');
  for (const directory of directories)
    for (const name of NAMES) {
      const program = join(directory, name);
      const isThere = await access(program, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return program;
    }
  return undefined;
}

/** Where fontconfig is missing, nobody can say; letters may then be boxes, which no test reads. */
const hasKoreanFont = (): Promise<boolean> =>
  run('fc-list', [':lang=ko']).then(
    (list) => list.trim() !== '',
    () => true,
  );
