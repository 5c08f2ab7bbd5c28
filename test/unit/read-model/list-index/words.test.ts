// How much of a long phrase is looked for among the words.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openWords, searched } from '../../../../src/read-model/list-index/words.ts';

const EDGE = '\u0001';

test('what has no blank is looked for as it is, and is certain', () => {
  assert.equal(searched('jazz,night'), { patterns: ['jazz,night'], isExact: true });
});

test('of a short phrase every word is looked for at its place, and the texts have to be read', () => {
  const { patterns, isExact } = searched('jazz at night');
  assert.equal([new Set(patterns), isExact], [new Set([`jazz${EDGE}`, `${EDGE}at${EDGE}`, `${EDGE}night`]), false]);
  assert.equal(searched(' night'), { patterns: [`${EDGE}night`], isExact: false });
  assert.equal(searched(' '), { patterns: [], isExact: false });
});

test('of a long phrase the six longest words are looked for', () => {
  const { patterns } = searched('an evening of the garden orchestra within unforgettable walls and gates');
  assert.equal(
    patterns.map((pattern) => pattern.replaceAll(EDGE, '')),
    ['unforgettable', 'orchestra', 'evening', 'garden', 'within', 'walls'],
  );
});

test('neither a large dictionary nor many matches are looked through in one step', () => {
  const stepsOf = (texts: readonly string[], part: string): number => {
    const words = openWords();
    for (const text of texts) words.add(text);
    return [...words.mark(part, new Uint8Array(words.texts()), 0, 1, words.texts())].length;
  };
  const text = (at: number, size: number): string => String(at).padEnd(size, 'x');
  // Without blanks, as Japanese is written, each text is a word: a million characters took 5 ms at once.
  assert.ok(
    stepsOf(
      Array.from({ length: 2_000 }, (_, at) => text(at, 500)),
      'y',
    ) >= 30,
  );
  assert.ok(
    stepsOf(
      Array.from({ length: 2_000 }, (_, at) => text(at, 5)),
      'x',
    ) >= 100,
  );
});

test.run();
