// The texts that phrases were looked for in: kept exactly, by revision, within their bytes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSearchedTexts, type SearchedTexts } from '../../../src/read-model/searched-texts.ts';

const texts = [
  { id: 1, revision: 0, text: 'late jazz\u0001night' },
  { id: 2, revision: 3, text: '' },
  { id: 3, revision: 1, text: 'łódź 😀 \ufffd' },
];

/** Those that are kept, by id. */
const recalled = (kept: SearchedTexts, events: readonly { readonly id: number; readonly revision: number }[]) => {
  const unpacked = new Map();
  return new Map(
    events.flatMap((one) => {
      const text = kept.recall(one, unpacked);
      return text === undefined ? [] : [[one.id, text] as const];
    }),
  );
};

test('texts are kept as they were, of the revisions that they are of', () => {
  const kept = openSearchedTexts();
  kept.keep(texts);
  kept.keep([{ id: 4, revision: 0, text: 'another' }]);
  assert.equal(
    recalled(kept, [...texts, { id: 4, revision: 0 }, { id: 5, revision: 0 }]),
    new Map([...texts.map(({ id, text }) => [id, text] as const), [4, 'another']]),
  );
  assert.equal(
    [
      ...recalled(kept, [
        { id: 1, revision: 1 },
        { id: 2, revision: 3 },
      ]).keys(),
    ],
    [2],
  );
  kept.keep([{ id: 1, revision: 1, text: 'early' }]);
  assert.equal([...recalled(kept, [{ id: 1, revision: 1 }]).values()], ['early']);
  assert.is(recalled(kept, [{ id: 1, revision: 0 }]).size, 0);
});

test('what is forgotten is not found, also of the same revision', () => {
  const kept = openSearchedTexts();
  kept.keep(texts);
  kept.forget([1, 7]);
  assert.equal([...recalled(kept, texts).keys()], [2, 3]);
  kept.clear();
  assert.is(recalled(kept, texts).size, 0);
});

test('with more bytes than they may have they are begun anew', () => {
  const kept = openSearchedTexts(2_000);
  for (let id = 1; id <= 100; id++) kept.keep([{ id, revision: 0, text: `text ${id}` }]);
  const all = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, revision: 0 }));
  const found = recalled(kept, all);
  assert.ok(found.size > 0 && found.size < 20, String(found.size));
  assert.is(found.get(100), 'text 100');
});

test.run();
