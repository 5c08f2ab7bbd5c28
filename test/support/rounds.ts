// How often a piece of work lets others have their turn, whatever the speed of the machine.
/** How many rounds of the event loop pass during work in which each look at the clock finds that some milliseconds have passed. */
export async function roundsOf(work: () => Promise<unknown>, passed = 5): Promise<number> {
  const { now } = performance;
  let clock = now.call(performance);
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    rounds += 1;
    if (!isDone) setImmediate(count);
  };
  performance.now = () => (clock += passed);
  setImmediate(count);
  try {
    await work();
  } finally {
    isDone = true;
    performance.now = now;
  }
  return rounds;
}
