import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { type Answer, someEvent, startTestService, type TestService } from '../support/service.ts';

/** Decides what becomes of a batch; `apply` carries it out. */
type Course = (apply: () => ReturnType<ReadModel['apply']>) => ReturnType<ReadModel['apply']>;

interface Context {
  daybook: TestService;
  /** Opened at the end of a test, lest the service waits for it for ever. */
  gates: Gate[];
  /** What becomes of the batches from now on. */
  become(course: Course): void;
}

const test = suite<Context>('views that lag');

const atOnce: Course = (apply) => apply();

test.before.each(async (context) => {
  let course = atOnce;
  context.gates = [];
  context.become = (next) => {
    course = next;
  };
  context.daybook = await startTestService({
    wrap: (stores) => {
      const { projectorModel } = stores;
      const apply: ReadModel['apply'] = (batch) => course(() => projectorModel.apply(batch));
      return { ...stores, projectorModel: { ...projectorModel, apply } };
    },
  });
});
test.after.each(({ daybook, gates }) => {
  for (const { release } of gates) release();
  return daybook.close();
});

interface Gate {
  readonly course: Course;
  /** Resolves when a batch stands before it. */
  readonly begun: Promise<void>;
  /** Lets that batch and all others go on. */
  release(): void;
}

function opening(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

function gate({ gates }: Context): Gate {
  const opened = opening();
  const begun = opening();
  const made: Gate = {
    async course(apply) {
      begun.resolve();
      await opened.promise;
      return apply();
    },
    begun: begun.promise,
    release: opened.resolve,
  };
  gates.push(made);
  return made;
}

/** Long enough for an answer that does not wait to be there. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const at = (position: string | undefined) => ({ 'x-daybook-position': position ?? '' });
const create = (daybook: TestService): Promise<Answer> =>
  daybook.request('editor', 'POST', '/events', someEvent({ venue: { venue: 'Hall' } }));

test('a write answers once the views have it, and not before', async (context) => {
  const { daybook, become } = context;
  const { course, begun, release } = gate(context);
  become(course);
  let hasAnswered = false;
  const writing = create(daybook).finally(() => {
    hasAnswered = true;
  });
  await begun;
  await turns();
  assert.not(hasAnswered);
  assert.is((await daybook.get('/events')).body.total, 0);
  release();
  const written = await writing;
  assert.equal([written.status, written.headers['x-daybook-views']], [201, undefined]);
  assert.is((await daybook.get(`/events/${written.body.id}`)).status, 200);
  assert.equal([(await daybook.get('/events')).body.total, (await daybook.get('/venues')).body.total], [1, 1]);
});

test('a write is seen by the next read although the views fail at first', async ({ daybook, become }) => {
  let failures = 0;
  become((apply) => {
    failures += 1;
    return failures > 1 ? apply() : Promise.reject(new Error('gone for a moment'));
  });
  const written = await create(daybook);
  assert.equal([written.status, written.headers['x-daybook-views'], failures], [201, undefined, 2]);
  assert.is((await daybook.get('/events')).body.total, 1);
});

test('if the read model lags a write says so, and a read that requires its position is 503', async (context) => {
  const { daybook, become } = context;
  const { course, release } = gate(context);
  become(course);
  const written = await create(daybook);
  assert.equal([written.status, written.headers['x-daybook-views']], [201, 'lagging']);
  assert.is(written.body.title, 'Open rehearsal');
  const demanding = at(written.headers['x-daybook-position']);
  const paths = ['/events', `/events/${written.body.id}`, '/venues', '/venues/1', '/tags'];
  for (const early of await Promise.all(paths.map((path) => daybook.get(path, 'anonymous', demanding)))) {
    assert.equal([early.status, early.body.code], [503, 'rest_unavailable'], early.text);
    assert.equal([early.headers['retry-after'], early.headers['x-daybook-views']], ['1', 'lagging']);
  }
  assert.is((await daybook.get('/events')).body.total, 0, 'who demands nothing sees what there is');
  const waiting = daybook.get('/events', 'anonymous', demanding);
  await turns();
  release();
  const late = await waiting;
  assert.equal([late.status, late.body.total, late.headers['x-daybook-views']], [200, 1, undefined]);
});

test('an invalid position is refused by the name of its header', async ({ daybook }) => {
  for (const wrong of ['', ' ', 'a b', '1,2', "1'", '../1', '_', 'x'.repeat(65)])
    for (const path of ['/events', '/events/1', '/venues', '/tags']) {
      const { status, body } = await daybook.get(path, 'anonymous', at(wrong));
      assert.equal([wrong, status, body.code], [wrong, 400, 'rest_invalid_param']);
      assert.equal(Object.keys(body.data.params), ['X-Daybook-Position']);
    }
  for (const past of ['0', '-', '0'.repeat(64), '00.00-0'])
    assert.is((await daybook.get('/events', 'anonymous', at(past))).status, 200, past);
});

test('scripts of other sites may read that views lag', async ({ daybook }) => {
  const { headers } = await daybook.get('/events');
  assert.ok(headers['access-control-expose-headers']?.split(', ').includes('X-Daybook-Views'));
});

test.run();
