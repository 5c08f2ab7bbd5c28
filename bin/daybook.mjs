// The entry for every Node, however old: one that is too old, or a clone without its packages, gets one line instead of
// a stack trace. Everything else is in src/main.ts.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSupported, requirement } from '../scripts/node-version.mjs';
import { endWithShell } from '../scripts/npm-shell.mjs';

function stop(message) {
  process.stderr.write(`daybook: ${message}\n`);
  process.exitCode = 1;
}

const home = fileURLToPath(new URL('..', import.meta.url));

/**
 * A service that gets SIGTERM while it loads has nothing to finish. As the first process of a container it would
 * otherwise ignore the signal. The listener stays, because a signal between two listeners would be lost; once `serve`
 * has installed its own, it does nothing.
 */
function endWhileLoading() {
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit();
    });
}

/**
 * The same process again, with a heap that fits. One that another process has started has been told already, and one that
 * is debugged is left alone.
 */
async function startWithinMemory() {
  const isTold = /max-old-space-size|--inspect/.test(`${process.execArgv} ${process.env.NODE_OPTIONS}`);
  if (process.send || isTold || !process.execve) return;
  const { allocatorSettings, heapOptions } = await import('../src/kernel/memory/limit.ts');
  const words = [process.execPath, ...heapOptions(), ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, { ...allocatorSettings(), ...process.env });
}

async function start() {
  if (process.argv[2] === 'serve') {
    await startWithinMemory();
    endWhileLoading();
    endWithShell();
  }
  const { enableCompileCache } = await import('node:module');
  // Stripping types and compiling take longer than everything else at startup; the cache holds the results of both.
  const { directory } = enableCompileCache();
  // Threads take it from the environment, as a folder with one for each version of Node.
  if (directory && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = path.dirname(directory);
  try {
    await import('../src/main.ts');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('Cannot find package')) throw error;
    stop(`a package is not installed. Run \`npm ci\` in ${home}.`);
  }
}

if (isSupported(process.versions.node)) await start();
else stop(`${requirement(process.versions.node)} Run \`npm ci\` in ${home}, then ${home}bin/daybook.`);
