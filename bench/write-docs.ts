/** `npm run bench:docs`: writes docs/performance.md anew from the stored results. */
import { writeDocs } from './report/docs.js';

await writeDocs();
