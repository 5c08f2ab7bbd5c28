import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENGLISH, languageNamed } from '../../../src/locales/languages.ts';
import { openNegotiation } from '../../../src/locales/negotiate.ts';

const test = suite('negotiation of the language');

const german = languageNamed('de') ?? ENGLISH;
const [inEnglish, inGerman] = [openNegotiation(() => ENGLISH), openNegotiation(() => german)];

const HEADERS: readonly (readonly [header: string | undefined, ofEnglish: string, ofGerman: string, why: string])[] = [
  [undefined, 'en', 'de', 'without a header the configured one counts'],
  ['', 'en', 'de', 'an empty header says nothing'],
  ['de', 'de', 'de', 'one that there is'],
  ['en', 'en', 'en', 'one that there is, and not the configured one'],
  ['DE', 'de', 'de', 'case does not matter'],
  ['de-AT', 'de', 'de', 'a region of it'],
  ['de-CH-1996,en;q=0.5', 'de', 'de', 'a region and a spelling of it'],
  ['en;q=0.5,de;q=0.8', 'de', 'de', 'weights count, not the order'],
  ['de;q=0.5,en;q=0.8', 'en', 'en', 'weights count, the other way round'],
  ['xx,de;q=0.3', 'de', 'de', 'what is not there is passed over'],
  ['xx', 'en', 'de', 'none that there is: the configured one'],
  ['*', 'en', 'de', 'any: the configured one'],
  ['xx,*;q=0.5', 'en', 'de', 'any other: the configured one'],
  ['de;q=0,*', 'en', 'en', 'anything but German'],
  ['de;q=0', 'en', 'de', 'without any other wish the configured one'],
  ['en,de', 'en', 'en', 'of equal ones the first'],
  ['de,en', 'de', 'de', 'of equal ones the first, the other way round'],
  [';;q=,,,=;-', 'en', 'de', 'what cannot be read says nothing'],
  ['de;q=high', 'en', 'de', 'a weight that is none is no wish'],
  [`de,${'x'.repeat(600)}`, 'en', 'de', 'what is longer than any browser sends is not read'],
];

for (const [header, ofEnglish, ofGerman, why] of HEADERS)
  test(`Accept-Language ${JSON.stringify(header)?.slice(0, 30)}: ${why}`, () => {
    // Twice, since the second answer comes from memory.
    for (const _ of [1, 2]) {
      assert.is(inEnglish.preferred(header).code, ofEnglish);
      assert.is(inGerman.preferred(header).code, ofGerman);
    }
  });

const LOCALES: readonly (readonly [sent: unknown, demanded: string | undefined | null])[] = [
  [undefined, undefined],
  ['', undefined],
  ['user', undefined],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de_AT', 'de'],
  ['de_DE_formal', 'de'],
  ['en_US', 'en'],
  ['xx', null],
  ['german', null],
  ['de;q=1', null],
  ['deutsch-AT', null],
  [['de'], null],
  [{ a: 'de' }, null],
];

for (const [sent, demanded] of LOCALES)
  test(`_locale ${JSON.stringify(sent)} demands ${demanded === undefined ? 'nothing' : demanded}`, () => {
    const found = inEnglish.demanded(sent);
    assert.is(found ? found.code : found, demanded);
  });

test('so many different headers come that some are forgotten, and all are heeded', () => {
  const negotiation = openNegotiation(() => ENGLISH);
  for (let turn = 0; turn < 1_200; turn += 1) {
    assert.is(negotiation.preferred(`de-x${turn},en;q=0.1`).code, 'de');
    assert.is(negotiation.preferred(`en-x${turn},de;q=0.1`).code, 'en');
  }
});

test.run();
