// `npm run demo`: serves a sample calendar in a folder of its own. Existing data is kept.
import { spawn, spawnSync } from 'node:child_process';
import { endWithShell } from './npm-shell.mjs';

endWithShell();
const DAYBOOK = 'bin/daybook.mjs';
const env = {
  ...process.env,
  DAYBOOK_DATA_DIR: process.env.DAYBOOK_DATA_DIR || './data/demo',
  DAYBOOK_SITE_NAME: process.env.DAYBOOK_SITE_NAME || 'Lantern Bay',
};

const filled = spawnSync(process.execPath, [DAYBOOK, 'demo', '--if-empty', ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
});
if (filled.status !== 0) process.exit(filled.status ?? 1);

const serving = spawn(process.execPath, [DAYBOOK, 'serve'], { env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => serving.kill(signal));
serving.on('close', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1);
});
