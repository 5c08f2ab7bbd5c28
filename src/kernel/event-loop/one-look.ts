// Whether another process has written to a file is looked at for every read. Reads that follow one another without waiting for
// anything share one look: what was acknowledged before a request arrived was written before that. Each look takes and gives back a
// lock, 3 to 6 us: of the 45 statements of a POST by one client 10 are left out, and of 23 with 32 clients 3.

let current = 0;
let isOpen = false;
let isRoundOpen = false;

/** The number of the present look: with the same one, no other process can be known to have written since. */
export function presentLook(): number {
  if (isOpen || isRoundOpen) return current;
  isOpen = true;
  current += 1;
  // Ticks come after everything that is ready to go on, and before anything else that has arrived.
  process.nextTick(() => {
    isOpen = false;
  });
  return current;
}

/**
 * A request has arrived. All that one round of the event loop reads from connections was there before the round began, and so was
 * what their senders had been told: requests of one round share a look, which ends when the round has read them. Of a list that is
 * repeated to 32 connections a look was a seventh of the processor time.
 */
export function shareLookOfRound(): void {
  if (isRoundOpen) return;
  current += 1;
  isRoundOpen = true;
  setImmediate(() => {
    isRoundOpen = false;
  });
}

/** This process has written, or is about to look at what it must not have seen before: earlier looks do not count. */
export function lookAnew(): void {
  current += 1;
}
