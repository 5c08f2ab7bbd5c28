// A large index is copied and put in order in steps, between which others have their turn. What a step does is bounded by
// how many events it handles, so of more events there are more steps: this is counted, whatever the speed of the machine.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROWS_THEN } from '../../../../src/editorial/time-travel/queries/as-of-documents.ts';
import { COLUMN_NAMES } from '../../../../src/read-model/list-index/event-columns.ts';
import { openListIndex } from '../../../../src/read-model/list-index/list-index.ts';
import { rowOf } from '../../../../src/read-model/list-index/rows.ts';
import { sorted } from '../../../../src/read-model/list-index/slots.ts';
import { event, tag } from '../../../support/documents.ts';
import { seeded } from '../../../support/seeded.ts';

/** Divisible by the most events that a step may handle. */
const EVENTS = 16_384;
const TAGS = 1_024;

/** How many steps there are until it is done, and its result. */
function stepsOf<Result>(steps: Generator<undefined, Result>): { readonly count: number; readonly result: Result } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return { count, result: value };
  }
}

/** The steps of loading a calendar, of copying it, and of loading the copy; sorting has its own. */
function stepsFor(events: number, tags: number) {
  const index = openListIndex();
  for (let id = 1; id <= tags; id++) index.apply([{ key: tag(id), row: rowOf(tag(id)) }]);
  for (let id = 1; id <= Math.max(events, tags); id++) {
    const one = event(id, { startsAt: id, tags: id <= tags ? [id] : [] });
    index.apply([{ key: one, row: rowOf(one) }]);
  }
  const places = Int32Array.from({ length: Math.max(events, tags) }, (_, at) => at);
  const sorting = 2 * stepsOf(sorted(places, (one, other) => one - other)).count;
  const loading = stepsOf(index.loaded()).count - sorting;
  const copy = stepsOf(index.until(Number.POSITIVE_INFINITY, ROWS_THEN));
  const again = stepsOf(copy.result.index.loaded()).count - sorting;
  return { loading, copying: copy.count, again };
}

test('an index of more events is loaded and copied in more steps', () => {
  const few = stepsFor(EVENTS, 1);
  const many = stepsFor(2 * EVENTS, 1);
  // Their links are counted, and they are entered in their lists.
  assert.is(many.loading - few.loading, 2 * (EVENTS / 4_096));
  assert.is(many.again - few.again, 2 * (EVENTS / 4_096));
  // They are looked through, and numbered; each column is copied by itself, and so are the links. Tags are entered behind them.
  assert.is(many.copying - few.copying, EVENTS / 2_048 + EVENTS / 4_096);
  assert.is(few.copying, EVENTS / 2_048 + EVENTS / 4_096 + COLUMN_NAMES.length + 1 + 2);
});

test('an index with more links is loaded in more steps', () => {
  const [many, few] = [stepsFor(2 * TAGS, 2 * TAGS), stepsFor(2 * TAGS, TAGS)];
  assert.is(many.loading - few.loading, TAGS / 512);
  // Tags themselves are entered in the copy as well.
  assert.is(many.copying - few.copying, TAGS / 512);
});

test('slots are sorted in steps, whatever order they have, and with few comparisons if it is theirs', () => {
  const random = seeded(7);
  for (const length of [0, 1, 4_096, 4_097, 3 * 4_096 + 5, EVENTS]) {
    const inOrder = Int32Array.from({ length }, (_, at) => at);
    const shuffled = inOrder.toSorted(() => random() - 0.5);
    for (const slots of [inOrder, inOrder.toReversed(), shuffled]) {
      let comparisons = 0;
      const steps = stepsOf(
        sorted(slots, (one, other) => {
          comparisons += 1;
          return one - other;
        }),
      );
      assert.equal(steps.result, inOrder);
      if (slots === inOrder) assert.ok(comparisons <= 2 * length, `${comparisons} of ${length}`);
      // No step merges more than it would sort.
      else if (length === EVENTS) assert.ok(steps.count >= 3 * (EVENTS / 4_096), `${steps.count}`);
    }
  }
});

test.run();
