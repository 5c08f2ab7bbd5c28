import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MAX_SLUG_LENGTH,
  normaliseForLookup,
  slugFrom,
  suffixedSlug,
  trashedSlug,
} from '../../../src/kernel/text/slug.ts';

const slug = suite('slug');

const examples: readonly (readonly [string, string])[] = [
  ['Jazz and Wine', 'jazz-and-wine'],
  ['  many   blanks -- and hyphens - ', 'many-blanks-and-hyphens'],
  ['snake_case stays', 'snake_case-stays'],
  ['Crème Brûlée à la Łódź', 'creme-brulee-a-la-lodz'],
  ['Straße, Smørrebrød & Ærø', 'strase-smorrebrod-aero'],
  ['Cre\u0300me', 'creme'],
  ['Tom &amp; Caf&eacute;', 'tom-cafe'],
  ['<em>Big</em> & "small" (really)', 'big-small-really'],
  ['log(1)', 'log1'],
  ["Rock'n'Roll / v2.0", 'rocknroll-v2-0'],
  ['it’s “on” – now…', 'its-on-now'],
  ['50% off', '50-off'],
  ['5 < 6', '5-6'],
  ['京都', '%e4%ba%ac%e9%83%bd'],
  ['Party 🎈', 'party-%f0%9f%8e%88'],
  ['чай', '%d1%87%d0%b0%d0%b9'],
  ['%E4%BA%AC', '%e4%ba%ac'],
  ['%zz%e4', 'zze4'],
  ['!?', ''],
  ['', ''],
];

for (const [text, expected] of examples) {
  slug(`${JSON.stringify(text)} has the slug ${JSON.stringify(expected)}`, () => {
    assert.is(slugFrom(text), expected);
  });
}

slug('a slug has at most 200 characters and never ends in a hyphen', () => {
  assert.is(slugFrom('n'.repeat(400)), 'n'.repeat(200));
  assert.is(slugFrom(`${'n'.repeat(199)} more`), 'n'.repeat(199));
});

slug('an encoded character is kept whole or left out', () => {
  assert.is(slugFrom('京'.repeat(100)), '%e4%ba%ac'.repeat(22));
  assert.is(slugFrom(`${'n'.repeat(195)}京`), 'n'.repeat(195));
  assert.is(slugFrom(`${'n'.repeat(191)}京`), `${'n'.repeat(191)}%e4%ba%ac`);
});

slug('a suffix is appended, and the name shortened to make room', () => {
  assert.is(suffixedSlug('picnic', 2), 'picnic-2');
  assert.is(suffixedSlug('n'.repeat(200), 12), `${'n'.repeat(197)}-12`);
  assert.is(suffixedSlug(slugFrom('京'.repeat(100)), 3), `${'%e4%ba%ac'.repeat(22)}-3`);
  assert.is(suffixedSlug(`${'n'.repeat(191)}%e4%ba%ac`, 3), `${'n'.repeat(191)}-3`);
});

slug('a trashed slug frees the name', () => {
  assert.is(trashedSlug('picnic'), 'picnic__trashed');
  assert.is(trashedSlug(''), '__trashed');
  assert.is(trashedSlug('n'.repeat(200)).length, MAX_SLUG_LENGTH);
});

slug('lookup finds a slug in any case, encoded or not, and as it was typed', () => {
  for (const typed of ['FOLK-NIGHT', 'folk%20night', 'folk.night', 'Folk night', 'folk-night']) {
    assert.is(normaliseForLookup(typed), 'folk-night');
  }
  assert.is(normaliseForLookup('京'), '%e4%ba%ac');
  assert.is(normaliseForLookup('%e4%ba%ac'), '%e4%ba%ac');
  assert.is(normaliseForLookup('folk-night__trashed'), 'folk-night__trashed');
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('%', 'e', '4', 'ba', '&', ';', '#', '<', '>', ' ', '-', 'é', '\u0301', '京') }),
);

slug('every slug is short and made of the permitted characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const result = slugFrom(text);
      assert.ok(result.length <= MAX_SLUG_LENGTH);
      assert.match(result, /^(?:[a-z0-9_]|%[0-9a-f]{2}|-(?!-|$))*$/);
      assert.not.match(result, /^-/);
      assert.type(decodeURIComponent(result), 'string');
    }),
    { numRuns: 500 },
  );
});

slug('a letter whose lower case folds is folded in upper case, too', () => {
  assert.is(slugFrom('\u0191ly'), 'fly');
  assert.is(slugFrom('\u0192ly'), 'fly');
});

slug('the slug of a slug is itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = slugFrom(text);
      assert.is(slugFrom(once), once);
      assert.is(normaliseForLookup(once), once);
    }),
    { numRuns: 500 },
  );
});

slug('a suffixed slug is a valid slug too', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 99_999 }), (text, n) => {
      const result = suffixedSlug(slugFrom(`x${text}`), n);
      assert.ok(result.length <= MAX_SLUG_LENGTH);
      assert.ok(result.endsWith(`-${n}`));
      assert.is(slugFrom(result), result);
    }),
  );
});

slug.run();
