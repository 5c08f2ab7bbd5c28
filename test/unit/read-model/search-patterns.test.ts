// How much of a long phrase is asked of the index.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenPatterns } from '../../../src/read-model/search-text.ts';

test('of a short phrase every word is asked for, at its place', () => {
  assert.equal(tokenPatterns('jazz at night'), [
    { text: 'jazz', begins: false, ends: true },
    { text: 'at', begins: true, ends: true },
    { text: 'night', begins: true, ends: false },
  ]);
});

test('of a long phrase the longest words are asked for, each once and no more than six', () => {
  const phrase = `${'of the garden orchestra '.repeat(200)}an unforgettable evening within walls`;
  assert.equal(
    tokenPatterns(phrase).map(({ text }) => text),
    ['unforgettable', 'orchestra', 'evening', 'garden', 'within', 'walls'],
  );
});

test.run();
