import { runServer, withCliErrors } from './run.js';

await withCliErrors(() => runServer(process.env));
