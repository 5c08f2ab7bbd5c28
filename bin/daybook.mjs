#!/usr/bin/env node
// The entry for every Node, however old: one that is too old, or a clone without its packages, gets one line instead of
// a stack trace. Everything else is in src/main.ts.
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSupported, requirement } from '../scripts/node-version.mjs';
import { endWithShell } from '../scripts/npm-shell.mjs';
import { resolveRelativeImports } from '../scripts/relative-imports.mjs';

const home = fileURLToPath(new URL('..', import.meta.url));
/** Otherwise this is the package, with what scripts/compile.mjs has made of the sources. */
const isClone = existsSync(path.join(home, 'src'));
const load = (name) => import(isClone ? `../src/${name}.ts` : `../lib/src/${name}.js`);

function stop(message) {
  process.stderr.write(`daybook: ${message}\n`);
  process.exitCode = 1;
}

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
  const { allocatorSettings, heapOptions } = await load('kernel/memory/limit');
  const words = [process.execPath, ...heapOptions(), ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, { ...allocatorSettings(), ...process.env });
}

/** Stripping types and compiling take longer than everything else at startup; the cache holds the results of both. */
function keepCompiled() {
  const { directory } = module.enableCompileCache();
  // Threads take it from the environment, as a folder with one for each version of Node.
  if (directory && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = path.dirname(directory);
}

async function start() {
  keepCompiled();
  if (['serve', 'demo'].includes(process.argv[2])) {
    await startWithinMemory();
    endWhileLoading();
    endWithShell();
  }
  resolveRelativeImports();
  try {
    await load('main');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('Cannot find package')) throw error;
    stop(`a package is not installed. ${isClone ? `Run \`npm ci\` in ${home}.` : 'Install Daybook again.'}`);
  }
}

if (isSupported(process.versions.node)) await start();
else {
  const remedy = isClone ? ` Run \`npm ci\` in ${home}, then ${home}bin/daybook.` : '';
  stop(`${requirement(process.versions.node)}${remedy}`);
}
