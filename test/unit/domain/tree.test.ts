import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linksAbove, withoutCircles } from '../../../src/calendar/resource/domain/tree.ts';

const test = suite('trees');

const counting = (...links: readonly (readonly [number, number])[]) => [...withoutCircles(new Map(links))];

test('links without a circle all count', () => {
  assert.equal(counting([1, 2], [2, 3], [4, 2]), [
    [1, 2],
    [2, 3],
    [4, 2],
  ]);
});

test('in a circle the link of the lowest id is ignored, in any order of links', () => {
  const open = [
    [5, 3],
    [7, 5],
    [9, 7],
  ];
  const links = [
    [3, 7],
    [7, 5],
    [5, 3],
    [9, 7],
  ] as const;
  for (let turn = 0; turn < links.length; turn += 1) {
    const turned = [...links.slice(turn), ...links.slice(0, turn)];
    assert.equal(
      counting(...turned).sort(([one], [other]) => one - other),
      open,
    );
  }
});

test('several circles are opened each, one of a single link too', () => {
  assert.equal(counting([1, 2], [2, 1], [3, 3], [5, 4], [4, 5], [6, 1]), [
    [2, 1],
    [5, 4],
    [6, 1],
  ]);
});

test('a long chain takes no longer than its length', () => {
  const links = new Map(Array.from({ length: 200_000 }, (_, index) => [index, index + 1] as const));
  assert.is(withoutCircles(links).size, links.size);
});

test('links are asked for upwards, once about each', async () => {
  const written = new Map([
    [1, 2],
    [2, 3],
    [3, 2],
    [8, 2],
  ]);
  const asked: number[] = [];
  const found = await linksAbove([1, 8], async (id) => {
    asked.push(id);
    return written.get(id) ?? null;
  });
  assert.equal([...found], [...written]);
  assert.equal(asked, [1, 2, 3, 8]);
});

test.run();
