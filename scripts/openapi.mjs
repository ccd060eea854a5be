// Regenerates openapi.json from a temporary server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'foyer-openapi-'));
const server = spawn(process.execPath, ['dist/main.js'], {
  env: { ...process.env, PORT: '0', FOYER_DATA_DIR: dataDir, FOYER_LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(server.stdout, 'data');
const address = /http:\/\/\S+/.exec(String(line))?.[0] ?? '';
const document = await (await fetch(`${address}/openapi.json`)).json();
writeFileSync('openapi.json', `${JSON.stringify(document, null, 2)}\n`);
server.kill();
await once(server, 'exit');
rmSync(dataDir, { recursive: true });
