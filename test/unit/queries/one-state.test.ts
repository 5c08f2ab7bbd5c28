// Reading in two steps while others write: an answer is of one state, or there is none.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asApiError } from '../../../src/http/errors.ts';
import { inOneState, ReadModelChanging } from '../../../src/queries/one-state.ts';

const test = suite('reading in one state');

/** What is shown, how many there are, and what it embeds. */
interface State {
  readonly event: number;
  readonly total: number;
  readonly venue: number;
}

/** A model in which the next of these states comes into place before each step of a reading. */
function changing(states: readonly State[]) {
  let at = 0;
  const now = (): State => states[Math.min(at, states.length - 1)] as State;
  const past: State[] = [now()];
  const step = (): State => {
    at += 1;
    past.push(now());
    return now();
  };
  let readings = 0;
  return {
    past,
    readings: () => readings,
    steps: {
      version: async () => String(Math.min(at, states.length - 1)),
      startVersion: '0',
      async read(): Promise<State> {
        readings += 1;
        const { event, total } = step();
        const { venue } = step();
        return { event, total, venue };
      },
      content: ({ event, venue }: State) => `${event} ${venue}`,
    },
  };
}

const constantly = (next: (at: number) => State): State[] => Array.from({ length: 100 }, (_, at) => next(at));

test('a write between two steps is read again', async () => {
  const first = { event: 1, total: 1, venue: 1 };
  const second = { event: 2, total: 2, venue: 2 };
  const { steps, readings } = changing([first, first, second]);
  assert.equal(await inOneState(steps), second);
  assert.is(readings(), 2);
});

test('constant writes of other documents hold up nothing', async () => {
  const { steps, readings, past } = changing(constantly((total) => ({ event: 1, total, venue: 1 })));
  const answer = await inOneState(steps);
  assert.is(readings(), 2);
  assert.ok(past.some((state) => JSON.stringify(state) === JSON.stringify(answer)));
});

test('constant writes of the same documents end in 503 with Retry-After', async () => {
  const { steps, readings } = changing(constantly((at) => ({ event: at, total: 1, venue: at })));
  const thrown = await inOneState(steps).catch((error: unknown) => error);
  assert.instance(thrown, ReadModelChanging);
  assert.is(readings(), 8);
  const { status, code, headers } = asApiError(thrown);
  assert.equal([status, code], [503, 'rest_unavailable']);
  assert.match(String(headers['Retry-After']), /^\d+$/);
  // A page of several lists is answered, each of them in one state.
  assert.type((await inOneState({ ...steps, parts: 'of one state each' })).event, 'number');
});

test('whatever is written meanwhile, an answer was true at one moment', async () => {
  const count = fc.nat({ max: 3 });
  // No state comes back, as no revision does.
  const writes = fc.array(fc.record({ event: count, total: count, venue: count }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(writes, async (added) => {
      const states = added.reduce<State[]>(
        (all, { event, total, venue }) => {
          const last = all.at(-1) as State;
          const isKept = event === 0;
          // Both documents in one write, or none of them.
          all.push({
            event: last.event + event,
            total: last.total + total,
            venue: isKept ? last.venue : last.venue + venue,
          });
          return all;
        },
        [{ event: 1, total: 1, venue: 1 }],
      );
      const { steps, past } = changing(states);
      const answer = await inOneState(steps).catch((error: unknown) => {
        assert.instance(error, ReadModelChanging);
        return null;
      });
      const isTrue = past.some((state) => JSON.stringify(state) === JSON.stringify(answer));
      assert.ok(answer === null || isTrue, `${JSON.stringify(answer)} of ${JSON.stringify(past)}`);
    }),
    { numRuns: 500 },
  );
});

test.run();
