// Draws the icons and the picture of shared links from web/src/icon.svg into web/public, with the Chromium of the tests:
// `npm run icons`, after a change of the icon. The results are committed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const DIRECTORY = 'web/public';
const BRAND = '#a8173f';
const FAVICON_SIZES = [16, 32, 48];
const SHARE = { width: 1200, height: 630 };

const svg = readFileSync('web/src/icon.svg', 'utf8');
/** Systems that cut the corners themselves get the colour up to the edges and a smaller drawing. */
const fullBleed = svg
  .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
  .replace('<rect width="32" height="32" rx="8"', '<rect x="-4" y="-4" width="40" height="40"');

const executablePath =
  process.env['FOYER_TEST_CHROMIUM'] ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();

/** @type {(html: string, size: { width: number, height: number }) => Promise<Buffer>} */
async function draw(html, size) {
  await page.setViewportSize(size);
  await page.setContent(`<style>* { margin: 0 } svg { display: block }</style>${html}`);
  return page.screenshot({ omitBackground: true });
}

/** @type {(source: string, size: number) => Promise<Buffer>} */
const drawIcon = (source, size) =>
  draw(source.replace('<svg ', `<svg width="${size}" height="${size}" `), { width: size, height: size });

/** An .ico file that contains PNG images. */
function toIco(/** @type {{ size: number, png: Buffer }[]} */ images) {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of images.entries()) {
    const at = 6 + 16 * index;
    header.writeUInt8(size, at);
    header.writeUInt8(size, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

const share = `
  <div style="display: flex; align-items: center; gap: 64px; width: 1200px; height: 630px; padding: 0 96px; box-sizing: border-box;
    background: ${BRAND}; color: #fff; font-family: 'Nanum Gothic', 'Apple SD Gothic Neo', sans-serif">
    <div style="flex: none">${svg.replace('<svg ', '<svg width="260" height="260" ')}</div>
    <div>
      <p style="font-size: 120px; font-weight: 800; letter-spacing: -4px">Foyer</p>
      <p style="margin-top: 20px; font-size: 46px; font-weight: 700">공정한 줄서기, 콘서트 예매</p>
      <p style="margin-top: 12px; font-size: 36px">Concert tickets, in a fair line</p>
    </div>
  </div>`;

/** @type {(name: string, bytes: Buffer) => void} */
const write = (name, bytes) => {
  writeFileSync(`${DIRECTORY}/${name}`, bytes);
};

const favicons = [];
for (const size of FAVICON_SIZES) favicons.push({ size, png: await drawIcon(svg, size) });
write('favicon.ico', toIco(favicons));
write('apple-touch-icon.png', await drawIcon(fullBleed, 180));
write('icon-192.png', await drawIcon(svg, 192));
write('icon-512.png', await drawIcon(svg, 512));
write('icon-maskable-512.png', await drawIcon(fullBleed, 512));
write('share.png', await draw(share, SHARE));
await browser.close();
