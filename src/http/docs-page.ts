import { createHash } from 'node:crypto';
import type { Routes } from '../platform/web/index.js';
import { DOCS_STYLE } from './docs-style.js';

const styleHash = createHash('sha256').update(DOCS_STYLE).digest('base64');
/** Its own style and nothing else: no script, no image, no frame. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The API reference, made from the same description as `/openapi.json`. */
export const docsRoutes: Routes = (app) => {
  let page: string | undefined;
  async function render(): Promise<string> {
    // Loaded with the first reader: a server starts a tenth sooner without.
    const [{ renderDocs }, { readDocument }] = await Promise.all([
      import('./docs-html.js'),
      import('./docs-model.js'),
    ]);
    return renderDocs(readDocument(app.swagger()));
  }
  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= await render();
    return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
  });
};
