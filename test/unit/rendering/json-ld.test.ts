import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Venue } from '../../../src/domain/venue.ts';
import { venueJsonLd } from '../../../src/rendering/json-ld.ts';
import { decodeEntities, stripTags } from '../../../src/text/plain-text.ts';

const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_270_314);

const described = (description: string): string => {
  const venue = { name: 'Town Hall', description, image: null, coordinates: null };
  const lines = { address: '', city: '', stateprovince: '', zip: '', country: '', phone: '', website: '' };
  // What a summary shows of a venue.
  return JSON.parse(venueJsonLd({ ...venue, ...lines } as Venue)).description;
};

/** The summary as it is meant: of the whole text. */
function naive(text: string): string {
  const words = decodeEntities(stripTags(text)).trim().replace(/\s+/g, ' ');
  const short = words.length > 300 ? `${words.slice(0, 300).trimEnd()}…` : words;
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const pieces = fc.constantFrom(
  ...[
    '&amp;',
    '&',
    'word',
    ' ',
    '  ',
    '\n',
    '<b>',
    '</b>',
    '<',
    '&eacute;',
    '&eacut',
    ';',
    '&#128512;',
    '😀',
    '\u00a0',
    '<!-- x',
    '-->',
    '"',
  ],
);
const texts = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 12 }), fc.nat({ max: 4_020 }), fc.nat({ max: 800 }))
  .map(([some, blanks, times]) => ' '.repeat(blanks) + some.join('').repeat(times));

test('the summary of a long text is that of the whole text, wherever its beginning is cut', () => {
  fc.assert(
    fc.property(texts, (text) => assert.is(described(text), naive(text))),
    { seed: SEED, numRuns: 500 },
  );
});

test('a text whose words begin late is summarised all the same', () => {
  assert.is(described(`${' '.repeat(5_000)}Music`), 'Music');
  assert.is(described(`${'&nbsp;'.repeat(1_000)}${'a'.repeat(301)}`), `${'a'.repeat(300)}…`);
});

test.run();
