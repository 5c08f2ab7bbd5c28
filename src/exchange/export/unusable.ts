/** Why an export or a restore cannot continue. The message is one line for people. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** The user interrupted it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Throws `Interrupted` once the signal was aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Interrupted('interrupted');
}
