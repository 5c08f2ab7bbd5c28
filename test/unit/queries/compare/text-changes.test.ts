import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openWords, type TextChange, textChanges } from '../../../../src/editorial/compare/queries/text-changes.ts';

const test = suite('texts word by word');

const without = (changes: readonly TextChange[], left: TextChange['change']): string =>
  changes
    .filter(({ change }) => change !== left)
    .map(({ text }) => text)
    .join('');

test('a replaced word is the only difference', () =>
  assert.equal(textChanges('Bring a coat.', 'Bring a raincoat.'), [
    { change: 'same', text: 'Bring a ' },
    { change: 'removed', text: 'coat' },
    { change: 'added', text: 'raincoat' },
    { change: 'same', text: '.' },
  ]));

test('the pieces make up both texts', () => {
  const words = fc.constantFrom('a', 'coat', ' ', '\n', '<p>', '東京', 'é', '😀', '.');
  const texts = fc.array(words, { maxLength: 60 }).map((some) => some.join(''));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const changes = textChanges(before, after);
      assert.is(without(changes, 'added'), before);
      assert.is(without(changes, 'removed'), after);
    }),
  );
});

test('long texts are compared by lines, and as a whole where next to nothing is the same', () => {
  const lines = (count: number, word: string): string =>
    Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');
  const long = lines(5_000, 'line');
  assert.equal(
    textChanges(long, `${long}one more\n`).map(({ change }) => change),
    ['same', 'added'],
  );
  const other = lines(5_000, 'other');
  assert.equal(textChanges(long, other), [
    { change: 'removed', text: long },
    { change: 'added', text: other },
  ]);
});

test('an answer has the words of so many texts and no more, and everything else as it is', async () => {
  const tell = openWords();
  const title = { field: 'title', before: 'Bring a coat', after: 'Bring a hat' };
  const others = [
    { field: 'cost', before: '5', after: '6' },
    { field: 'venue', before: [], after: [{ id: 1, venue: 'Hall' }] },
    { field: 'excerpt', before: null, after: 'New' },
  ];
  const [told, name, ...rest] = await tell([title, { ...title, field: 'venue.venue' }, ...others]);
  assert.is(told?.words?.length, 3);
  assert.is(name?.words?.length, 3, 'the name of what is embedded');
  assert.equal(rest, others);
  const huge = { field: 'description', before: 'a\n'.repeat(100_000), after: 'b\n'.repeat(100_000) };
  assert.equal(await tell([huge]), [huge], 'longer than an answer may get by it');
  const many = await tell(Array.from({ length: 200 }, () => title));
  assert.is(many.filter(({ words }) => words).length, 98);
});

test.run();
