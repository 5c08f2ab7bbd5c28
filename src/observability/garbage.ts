// What a long piece of work leaves behind in memory, collected when it ends instead of in the middle of a request.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 has it only under a flag, which can be set while it runs. */
function collector(): NodeJS.GCFunction | undefined {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('typeof gc === "function" ? gc : undefined');
  setFlagsFromString('--no-expose-gc');
  return gc as NodeJS.GCFunction | undefined; // V8's own.
}

/** Collects all garbage and returns the memory to the system. Holds this thread for some hundred milliseconds. */
export function collectGarbage(): void {
  collector()?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
