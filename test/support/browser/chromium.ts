import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../machine/install.js';
import { run } from '../machine/run.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CHROMIUM_MISSING =
  'Chromium was not found. Install it (package chromium on Debian) or set FOYER_TEST_CHROMIUM to its executable.';
const FONT_MISSING =
  'No font with Korean letters was found, and the tests open the pages in Korean. Install one (package fonts-nanum on Debian).';

/** The path of Chromium's executable. Installs Chromium and a Korean font if they are missing. */
export async function findChromium(): Promise<string> {
  const program = (await lookForChromium()) ?? (await installChromium());
  if (!(await hasKoreanFont())) await installPackages(['fonts-nanum'], FONT_MISSING);
  return program;
}

async function installChromium(): Promise<string> {
  await installPackages(['chromium'], CHROMIUM_MISSING);
  const installed = await lookForChromium();
  if (installed === undefined) throw new Error(CHROMIUM_MISSING);
  return installed;
}

async function lookForChromium(): Promise<string | undefined> {
  const given = process.env['FOYER_TEST_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const directories = (process.env['PATH'] ?? '').split(':').filter((directory) => directory !== '');
  for (const directory of directories)
    for (const name of NAMES) {
      const program = join(directory, name);
      const isExecutable = await access(program, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isExecutable) return program;
    }
  return undefined;
}

/** True if fontconfig is missing: no test depends on the font. */
const hasKoreanFont = (): Promise<boolean> =>
  run('fc-list', [':lang=ko']).then(
    (list) => list.trim() !== '',
    () => true,
  );
