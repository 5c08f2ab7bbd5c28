// The publisher over views and a log that a test holds in its hands.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Publisher, startPublisher } from '../../../src/editorial/schedule/reactions/publisher.ts';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import type { ScheduledPost } from '../../../src/read-model/queries.ts';
import { ReadModelUnavailable } from '../../../src/read-model/read-model.ts';

interface Fake {
  readonly publisher: Publisher;
  readonly clock: { at: number; reads: number; now(): number };
  /** What views list as scheduled. */
  scheduled: ScheduledPost[];
  /** Ids that were published, in their order. */
  readonly published: number[];
  readonly runs: Set<string>;
  readonly lines: string[];
  /** How often views were asked for the next publication. */
  asked: number;
  /** How often views were asked for their version. */
  versionsRead: number;
  /** Called before a publication. */
  onPublish: (id: number) => Promise<void> | void;
  /** Whether views show what was published. */
  areViewsFollowing: boolean;
  areViewsAway: boolean;
  /** Whether a date was set apart from its series. */
  isApart: (id: number) => boolean;
  /** How often views were waited for. */
  waits: number;
  version: number;
  milliseconds: () => number;
}

interface Context {
  fake: Fake;
}

const post = (id: number, date: number, series = 0): ScheduledPost => ({ kind: 'event', id, date, series });

function open(): Fake {
  const clock = {
    at: 1_000,
    reads: 0,
    now() {
      clock.reads += 1;
      return clock.at;
    },
  };
  const views = <Answer>(answer: () => Answer) => {
    if (fake.areViewsAway) throw new ReadModelUnavailable('away');
    return answer();
  };
  const inOrder = () => [...fake.scheduled].sort((one, other) => one.date - other.date);
  const apply = (id: number): void => {
    fake.scheduled = fake.scheduled.filter((one) => one.id !== id);
    fake.version += 1;
  };
  const fake: Fake = {
    clock,
    scheduled: [],
    published: [],
    runs: new Set(),
    lines: [],
    asked: 0,
    versionsRead: 0,
    onPublish: () => {},
    areViewsFollowing: true,
    areViewsAway: false,
    isApart: () => false,
    waits: 0,
    version: 1,
    milliseconds: () => performance.now(),
    publisher: startPublisher({
      readModel: {
        version: async () => {
          fake.versionsRead += 1;
          return views(() => String(fake.version));
        },
        nextScheduled: async () => {
          fake.asked += 1;
          return views(() => inOrder()[0]?.date ?? null);
        },
        scheduledUntil: async (instant, limit) =>
          views(() => inOrder().filter(({ date }) => date <= instant)).slice(0, limit),
      },
      publish: async ({ correlationId }, { id }) => {
        await fake.onPublish(id);
        fake.published.push(id);
        fake.runs.add(correlationId);
        if (fake.areViewsFollowing) apply(id);
        return { kind: 'published', position: String(id).padStart(6, '0'), isApart: fake.isApart(id) };
      },
      views: {
        reached: async () => {
          fake.waits += 1;
          return fake.areViewsFollowing;
        },
      },
      clock,
      elapsed: () => fake.milliseconds(),
      newId: () => `run ${fake.runs.size + 1}`,
      log: {
        info: (_, line) => void fake.lines.push(`info: ${line}`),
        warn: (_, line) => void fake.lines.push(`warn: ${line}`),
        error: (_, line) => void fake.lines.push(`error: ${line}`),
      },
    }),
  };
  return fake;
}

const PATIENCE_MS = 10_000;

async function eventually(isSo: () => boolean): Promise<void> {
  const begun = performance.now();
  while (!isSo()) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(5);
  }
}

/** Lets the publisher look at the clock a few times. */
function someLooks({ clock }: Fake): Promise<void> {
  const before = clock.reads;
  return eventually(() => clock.reads >= before + 5);
}

/** Puts posts into the views and tells the publisher, as a write of this process does. */
function put(fake: Fake, ...posts: readonly ScheduledPost[]): void {
  fake.scheduled.push(...posts);
  fake.version += 1;
  fake.publisher.lookAgain();
}

const test = suite<Context>('the publisher');
test.before.each((context) => {
  context.fake = open();
});
test.after.each(({ fake }) => fake.publisher.stop());

test('it publishes when the clock comes to the date, and not before', async ({ fake }) => {
  put(fake, post(1, 1_010), post(2, 1_020));
  fake.clock.at = 1_009;
  await someLooks(fake);
  assert.equal(fake.published, []);
  fake.clock.at = 1_010;
  await eventually(() => fake.published.length > 0);
  await someLooks(fake);
  assert.equal(fake.published, [1]);
});

test('it finds out by itself what others have put into the views', async ({ fake }) => {
  await someLooks(fake);
  fake.scheduled.push(post(1, 900));
  fake.version += 1;
  await eventually(() => fake.published.length > 0);
  assert.equal(fake.published, [1]);
});

test('views that have not changed are not asked again', async ({ fake }) => {
  await someLooks(fake);
  const { asked } = fake;
  await someLooks(fake);
  await someLooks(fake);
  assert.is(fake.asked, asked);
});

test('a request before anything is due does not wait, not even for a turn', async ({ fake }) => {
  put(fake, post(1, 1_010));
  await fake.publisher.settled(1_000);
  assert.is(fake.publisher.settled(1_000), null);
  assert.is(fake.publisher.settled(1_009), null);
});

test('a request at a due instant waits for the publication, and none after it', async ({ fake }) => {
  put(fake, post(1, 1_010));
  await fake.publisher.settled(1_000);
  fake.clock.at = 1_010;
  const settled = fake.publisher.settled(1_010);
  assert.is.not(settled, null);
  await settled;
  assert.equal(fake.published, [1]);
  assert.is(fake.publisher.settled(1_010), null);
});

test('after a write of this process views are read before the next answer', async ({ fake }) => {
  await fake.publisher.settled(1_000);
  put(fake, post(1, 1_000));
  await fake.publisher.settled(1_000);
  assert.equal(fake.published, [1]);
});

test('many simultaneous requests publish it once', async ({ fake }) => {
  put(fake, post(1, 1_000));
  await Promise.all(Array.from({ length: 20 }, () => fake.publisher.settled(1_000)));
  assert.equal(fake.published, [1]);
});

test('hundreds that are overdue are published in their order, under one correlation', async ({ fake }) => {
  put(fake, ...Array.from({ length: 333 }, (_, at) => post(at + 1, 500 + at)));
  await fake.publisher.settled(1_000);
  assert.equal(
    fake.published,
    Array.from({ length: 333 }, (_, at) => at + 1),
  );
  assert.is(fake.runs.size, 1);
});

test('dates of a series are published one by one: the first may publish the others', async ({ fake }) => {
  fake.onPublish = (id) => {
    if (id === 1) fake.scheduled = fake.scheduled.filter(({ id: other }) => other !== 2 && other !== 3);
  };
  const ofSeries = [1, 2, 3, 4].map((id) => post(id, 900, 70));
  put(fake, ...ofSeries, post(5, 900, 71), post(6, 900), post(7, 900));
  await fake.publisher.settled(1_000);
  assert.equal(fake.published, [1, 5, 6, 7, 4], '2 and 3 were published with 1');
});

for (const areViewsFollowing of [true, false])
  test(`dates set apart from a series are published in few rounds${areViewsFollowing ? '' : ', also while views lag'}`, async ({
    fake,
  }) => {
    fake.milliseconds = () => 0;
    Object.assign(fake, { areViewsFollowing, isApart: () => true });
    put(fake, ...Array.from({ length: 200 }, (_, at) => post(at + 1, 900, 70)));
    await eventually(() => fake.publisher.settled(1_000) === null);
    assert.is(fake.published.length, 200);
    assert.ok(fake.waits <= 8, `${fake.waits} rounds`);
  });

test('while views lag the other dates of a series wait without keeping requests', async ({ fake }) => {
  let milliseconds = 0;
  fake.milliseconds = () => milliseconds;
  fake.areViewsFollowing = false;
  put(fake, ...Array.from({ length: 120 }, (_, at) => post(at + 1, 900, 70)));
  await eventually(() => fake.publisher.settled(1_000) === null);
  assert.ok(fake.published.length <= 3, `one of each fifty, not ${fake.published.length}`);
  assert.is(fake.publisher.overdue(), 0);
  const before = fake.published.length;
  await someLooks(fake);
  assert.is(fake.published.length, before, 'none is tried meanwhile');
  milliseconds = 2_001;
  await eventually(() => fake.published.length > before);
});

test('while views lag the others wait also where the first date was set apart', async ({ fake }) => {
  fake.milliseconds = () => 0;
  fake.areViewsFollowing = false;
  fake.isApart = (id) => id === 1;
  put(fake, ...Array.from({ length: 120 }, (_, at) => post(at + 1, 900, 70)));
  await eventually(() => fake.publisher.settled(1_000) === null);
  assert.ok(fake.published.length <= 10, `some of each fifty, not ${fake.published.length}`);
});

test('views that lag cause no second publication, no stop and no waiting', async ({ fake }) => {
  fake.areViewsFollowing = false;
  put(fake, ...Array.from({ length: 120 }, (_, at) => post(at + 1, 500 + at)));
  await fake.publisher.settled(1_000);
  await eventually(() => fake.published.length === 120);
  await eventually(() => fake.publisher.settled(1_000) === null);
  const { versionsRead } = fake;
  fake.version += 1;
  await eventually(() => fake.versionsRead >= versionsRead + 3);
  assert.is(fake.published.length, 120);
});

test('with views that do not follow, what comes to be due is published all the same', async ({ fake }) => {
  fake.areViewsFollowing = false;
  put(fake, post(1, 1_000), post(2, 1_010));
  await fake.publisher.settled(1_000);
  fake.clock.at = 1_010;
  await eventually(() => fake.published.length === 2);
  assert.equal(fake.published, [1, 2]);
});

test('a post that gets another date is published again, should it be scheduled again', async ({ fake }) => {
  fake.areViewsFollowing = false;
  put(fake, post(1, 900));
  await eventually(() => fake.published.length === 1);
  fake.scheduled = [];
  put(fake, post(1, 950));
  await eventually(() => fake.published.length === 2);
});

test('an outage of the log is logged once, and everything due is published after it', async ({ fake }) => {
  let isAway = true;
  let attempts = 0;
  fake.onPublish = () => {
    attempts += 1;
    if (isAway) throw new EventStoreUnavailable('away');
  };
  put(fake, post(1, 990), post(2, 995));
  await eventually(() => fake.lines.length > 0);
  assert.is(fake.publisher.settled(1_000), null, 'no request waits meanwhile');
  assert.is(fake.publisher.overdue(), 10);
  await eventually(() => attempts >= 6);
  isAway = false;
  await eventually(() => fake.lines.length > 1);
  assert.equal(fake.published, [1, 2]);
  assert.equal(fake.lines, [
    'warn: publishing of scheduled posts failed; retrying',
    'info: publishing of scheduled posts recovered',
  ]);
  assert.is(fake.publisher.overdue(), 0);
});

test('an outage of the views is logged once, and everything due is published after it', async ({ fake }) => {
  await fake.publisher.settled(1_000);
  fake.areViewsAway = true;
  await eventually(() => fake.lines.length > 0);
  fake.scheduled.push(post(1, 990));
  fake.areViewsAway = false;
  await eventually(() => fake.published.length > 0);
  assert.is(fake.lines.filter((line) => line.startsWith('warn')).length, 1);
});

test('a post that cannot be published delays neither others nor requests, and is tried again later', async ({
  fake,
}) => {
  let milliseconds = 0;
  fake.milliseconds = () => milliseconds;
  let isOdd = true;
  fake.onPublish = (id) => {
    if (id === 1 && isOdd) throw new Error('odd');
  };
  put(fake, post(1, 900), post(2, 950));
  await fake.publisher.settled(1_000);
  assert.equal(fake.published, [2]);
  assert.is(fake.publisher.settled(1_000), null);
  assert.is(fake.publisher.overdue(), 100);
  assert.equal(fake.lines, ['error: scheduled post could not be published']);
  isOdd = false;
  await someLooks(fake);
  assert.equal(fake.published, [2], 'not yet');
  milliseconds = 61_000;
  await eventually(() => fake.published.length === 2);
  assert.is(fake.publisher.overdue(), 0);
});

test('no request waits for more than two seconds since the publication began', async ({ fake }) => {
  let milliseconds = 0;
  fake.milliseconds = () => milliseconds;
  let letGo: (() => void) | null = null;
  fake.onPublish = () =>
    new Promise<void>((resolve) => {
      letGo = resolve;
    });
  put(fake, post(1, 1_000));
  assert.is.not(fake.publisher.settled(1_000), null);
  await eventually(() => letGo !== null);
  milliseconds = 1_999;
  assert.is.not(fake.publisher.settled(1_000), null);
  milliseconds = 2_000;
  assert.is(fake.publisher.settled(1_000), null);
  (letGo as (() => void) | null)?.();
});

test('a clock that stops delays no request, and one that goes back does no harm', async ({ fake }) => {
  put(fake, post(1, 1_010));
  await fake.publisher.settled(1_000);
  // Taken before the clock was put back.
  await fake.publisher.settled(1_010);
  assert.equal(fake.published, []);
  fake.clock.at = 1_010;
  await fake.publisher.settled(1_010);
  assert.equal(fake.published, [1]);
});

test('once stopped it publishes no more', async ({ fake }) => {
  put(fake, post(1, 1_010));
  await fake.publisher.settled(1_000);
  await fake.publisher.stop();
  fake.clock.at = 1_010;
  assert.is(fake.publisher.settled(1_010), null);
  assert.equal(fake.published, []);
});

test.run();
