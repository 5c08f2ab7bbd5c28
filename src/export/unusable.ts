/** Why an export or a restore cannot go on. The message is one line for people. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** It was asked to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Throws `Interrupted` once the signal was given. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted('interrupted');
}
