// The entry for every Node, however old: one that is too old, or a clone without its packages, gets one line instead of a
// stack trace. Everything else is in src/main.ts.
import { fileURLToPath } from 'node:url';
import { isSupported, requirement } from '../scripts/node-version.mjs';

function stop(message) {
  process.stderr.write(`daybook: ${message}\n`);
  process.exitCode = 1;
}

const home = fileURLToPath(new URL('..', import.meta.url));

/**
 * A service that is told to end while it loads has nothing to finish. As the first process of a container it would not even
 * hear of it. The listener stays, as a signal that arrives between two listeners is lost: from when `serve` has its own on,
 * it does nothing.
 */
function endWhileLoading() {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit();
    });
}

async function start() {
  if (process.argv[2] === 'serve') endWhileLoading();
  const { enableCompileCache } = await import('node:module');
  // Stripping types and compiling takes longer than everything else at start; the cache holds the results of both.
  enableCompileCache();
  try {
    await import('../src/main.ts');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('Cannot find package')) throw error;
    stop(`a package is not installed. Run \`npm ci\` in ${home}.`);
  }
}

if (isSupported(process.versions.node)) await start();
else stop(`${requirement(process.versions.node)} Run \`npm ci\` in ${home}, then ${home}bin/daybook.`);
