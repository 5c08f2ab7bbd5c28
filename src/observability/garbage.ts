// What a long piece of work leaves behind in memory is collected when it ends, and never because the service seems idle.
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

/** None, in the words of V8. To switch it off as a whole works only before a process has begun. */
export const NO_IDLE_COLLECTION = '--memory-reducer-gc-count=0';

/**
 * Some seconds after a collection V8 starts another one that gives memory back to the system, if little has happened
 * here since: also while a request waits for another thread. It holds this thread several times as long as a plain one.
 */
export function preventIdleCollection(): void {
  setFlagsFromString(NO_IDLE_COLLECTION);
}
