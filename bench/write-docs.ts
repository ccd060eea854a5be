/** `npm run bench:docs`: updates docs/performance.md from the stored results. */
import { writeDocs } from './report/docs.js';

await writeDocs();
