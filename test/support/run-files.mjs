// Runs the test files that it is given with uvu, one after the other in this process. Started by scripts/test.mjs.
import path from 'node:path';
import { run } from 'uvu/run';
import { endOfFiles } from './at-end.ts';
import { processorMs } from './processor-time.mjs';

const TESTS = path.resolve(import.meta.dirname, '..');

// The process ends when its tests have, although it could still report.
process.channel?.unref();
await run(process.argv.slice(2).map((name) => ({ name, file: path.join(TESTS, name) })));
await endOfFiles();
process.send?.({ kind: 'used', usedMs: processorMs() });
