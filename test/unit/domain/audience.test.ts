import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { languagesNamed, languagesShown } from '../../../src/calendar/event/desk/languages.ts';
import { agesText, languagesText, readAges, readLanguages } from '../../../src/calendar/event/domain/audience.ts';

const test = suite('for whom an event is');

for (const [typed, stored] of [
  ['6-12', '6-12'],
  [' 6 – 12 ', '6-12'],
  ['18+', '18-'],
  ['18-', '18-'],
  ['-12', '-12'],
  ['0-99', '0-99'],
] as const)
  test(`ages ${typed} are stored as ${stored}`, () => {
    assert.is(agesText(typed), stored);
    assert.is(agesText(stored), stored);
  });

for (const typed of ['', '-', '+', '12-6', '6', 'all', '6-12-18', '+18', '100-'])
  test(`${JSON.stringify(typed)} are no ages`, () => {
    assert.is(readAges(typed), null);
    assert.is(agesText(typed), '');
  });

test('at the desk languages are typed by name or code, and what is neither stays to be mended', () => {
  assert.is(languagesNamed('de', 'Deutsch; englisch, fr'), 'de, en, fr');
  assert.is(languagesNamed('en', 'German, Elvish'), 'de, Elvish');
  assert.is(languagesShown('de', 'de, fr'), 'Deutsch, Französisch');
  assert.is(languagesShown('en', 'Elvish'), 'Elvish');
});

test('languages are codes that exist, each once, at most ten', () => {
  assert.equal(readLanguages('DE, en-gb,de'), ['de', 'en-GB']);
  assert.is(languagesText('pt-br'), 'pt-BR');
  assert.equal(readLanguages(''), []);
  for (const wrong of ['German', 'xq', 'de;en', 'e', 'aa,ab,af,ak,am,ar,az,be,bg,bn,bs'])
    assert.is(readLanguages(wrong), null, wrong);
});

test.run();
