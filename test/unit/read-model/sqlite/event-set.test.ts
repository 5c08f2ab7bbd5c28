import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  chunkOf,
  type EventSet,
  emptyBitmap,
  intersection,
  isMember,
  membersOf,
  packed,
  packedIds,
  setMember,
  sizeOf,
  union,
  unpackInto,
} from '../../../../src/read-model/sqlite/event-sets.ts';

function setOf(ids: readonly number[]): EventSet {
  const set: EventSet = new Map();
  for (const id of ids) {
    const bitmap = set.get(chunkOf(id)) ?? emptyBitmap();
    set.set(chunkOf(id), bitmap);
    setMember(bitmap, id, 'in');
  }
  return set;
}

const sorted = (set: EventSet): number[] => membersOf(set).sort((one, other) => one - other);

const HUGE = 2 ** 52 + 5;

for (const members of [1, 2, 254, 255, 256, 257, 4095, 4096])
  test(`a chunk with ${members} members is the same after it was stored`, () => {
    const ids = Array.from({ length: members }, (_, at) => 8192 + ((at * 1_237) % 4096)).sort((a, b) => a - b);
    const stored = packed(setOf(ids).get(2) ?? emptyBitmap());
    const bitmap = emptyBitmap();
    unpackInto(bitmap, stored ?? emptyBitmap());
    assert.equal(sorted(new Map([[2, bitmap]])), ids);
    assert.equal([...packedIds(ids)], [...(stored ?? [])]);
  });

test('few members take two bytes each, many never more than a bitmap', () => {
  assert.is(packed(setOf([1, 2, 4095]).get(0) ?? emptyBitmap())?.length, 6);
  assert.is(packed(emptyBitmap().fill(255))?.length, 512);
});

test('nothing is stored of an empty chunk', () => {
  const bitmap = emptyBitmap();
  setMember(bitmap, 7, 'in');
  setMember(bitmap, 7, 'out');
  assert.is(packed(bitmap), null);
});

test('sets unite, intersect and know their members, however large the ids', () => {
  const one = setOf([1, 4095, 4096, HUGE]);
  const other = setOf([2, 4096, HUGE, HUGE + 10_000]);
  assert.is(sizeOf(one), 4);
  assert.ok(isMember(one, HUGE));
  assert.not(isMember(one, HUGE + 1));
  assert.equal(sorted(intersection(one, other)), [4096, HUGE]);
  assert.equal(sorted(union([one, other])), [1, 2, 4095, 4096, HUGE, HUGE + 10_000]);
});

test.run();
