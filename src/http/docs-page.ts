import { createHash } from 'node:crypto';
import type { Routes } from '../platform/web/index.js';
import { renderDocs } from './docs-html.js';
import { readDocument } from './docs-model.js';
import { DOCS_STYLE } from './docs-style.js';

const styleHash = createHash('sha256').update(DOCS_STYLE).digest('base64');
/** Its own style and nothing else: no script, no image, no frame. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The API reference, made from the same description as `/openapi.json`. */
export const docsRoutes: Routes = (app) => {
  let page: string | undefined;
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => {
    page ??= renderDocs(readDocument(app.swagger()));
    return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
  });
};
