import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The server that `npm run web:dev` proxies to. Start it with `PORT=3000 npm start`. */
const SERVER = process.env['FOYER_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: here('.'),
  // Every page's address is served index.html: assets are named from the root.
  base: '/',
  // Files with a fixed address: favicon.ico, apple-touch-icon.png and others. scripts/icons.mjs draws them.
  publicDir: 'public',
  build: {
    outDir: here('../dist/web'),
    target: 'es2022',
    // The policy of the pages lets in no inline script, style or image.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: [here('index.html'), here('docs.html')] },
  },
  server: { proxy: { '/api': SERVER, '/openapi.json': SERVER } },
});
