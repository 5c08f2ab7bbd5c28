// Single reads of a long text are made step by step, and others have their turn in between.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { someEvent, startTestService, type TestService } from '../support/service.ts';

let daybook: TestService;
const test = suite('single reads of long texts');

test.before(async () => {
  daybook = await startTestService();
});
test.after(() => daybook.close());

/** How often others have had their turn before a request is answered, as if each step of it took longer than a turn. */
async function turnsOf(target: string): Promise<number> {
  const { now } = performance;
  let [turns, isOver, ms] = [0, false, now.call(performance)];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  performance.now = () => (ms += 5);
  try {
    const { status } = await daybook.get(target);
    assert.is(status, 200);
  } finally {
    performance.now = now;
    isOver = true;
  }
  return turns;
}

test('each step of what is made of a long text may be the end of a turn', async () => {
  const description = `<p>${'word '.repeat(10_000)}</p>`;
  const { id, slug } = await daybook.created('editor', 'events', someEvent({ description }));
  for (const [target, least] of [
    [`/events/${id}`, 6],
    [`/events/${id}.ics`, 8],
    [`//event/${slug}/`, 30],
  ] as const) {
    daybook.stores.recentChanges.empty();
    const turns = await turnsOf(target);
    assert.ok(turns >= least, `${target}: ${turns} turns`);
  }
});

test.run();
