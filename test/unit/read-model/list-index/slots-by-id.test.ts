// The slots of events by their ids are what a map of them is, however they come and go.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSlotsById } from '../../../../src/read-model/list-index/slots-by-id.ts';
import { seededBelow } from '../../../support/seeded.ts';

/** Ids that follow one another, blocks of them, and large ones. */
const KINDS: readonly ((id: number) => number)[] = [(id) => id, (id) => 64 * id, (id) => 2 ** 40 + id, (id) => id * id];

test('an id has the slot that it was added with last, until it is removed', () => {
  for (const [seed, idOf] of KINDS.entries()) {
    const below = seededBelow(seed + 1);
    const ids = new Float64Array(6_000);
    const slots = openSlotsById(() => ids, 10 ** seed);
    const told = new Map<number, number>();
    const free = Array.from(ids, (_, slot) => slot);
    for (let step = 0; step < 20_000; step++) {
      const id = idOf(1 + Math.floor(below(5_000)));
      const slot = told.get(id);
      assert.is(slots.get(id), slot);
      if (slot !== undefined) {
        slots.remove(slot);
        told.delete(id);
        free.push(slot);
        ids[slot] = 0;
        continue;
      }
      const next = free.splice(Math.floor(below(free.length)), 1)[0] ?? 0;
      ids[next] = id;
      slots.add(next);
      told.set(id, next);
    }
    for (const [id, slot] of told) assert.is(slots.get(id), slot);
    assert.equal([slots.size(), slots.all().toSorted()], [told.size, Int32Array.from(told.values()).toSorted()]);
  }
});

test.run();
