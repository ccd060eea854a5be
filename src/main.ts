import { runServer, withPlainFaults } from './run.js';

await withPlainFaults(() => runServer(process.env));
