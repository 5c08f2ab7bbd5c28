// How often a piece of work lets others have their turn, whatever the speed of the machine.
/** How many rounds of the event loop pass during work in which each look at the clock finds that 5 ms have passed. */
export async function roundsOf(work: () => Promise<unknown>): Promise<number> {
  const { now } = performance;
  let clock = now.call(performance);
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    rounds += 1;
    if (!isDone) setImmediate(count);
  };
  performance.now = () => (clock += 5);
  setImmediate(count);
  try {
    await work();
  } finally {
    isDone = true;
    performance.now = now;
  }
  return rounds;
}
