import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareLetters, foldLetters } from '../../../src/kernel/text/ascii-folding.ts';

const letters = suite('letters');

const folded: readonly (readonly [string, string])[] = [
  ['Łódź', 'lodz'],
  ['CAFÉ', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['Straße', 'strasse'],
  ['Ærø', 'aero'],
  ['Þór', 'thor'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΌΣ', 'οδοσ'],
  ['Ёлка', 'елка'],
  ['ﬁlm', 'film'],
  ['が', 'が'],
  ['한국', '한국'],
  ['10 € × £', '10 € × £'],
  ['\u0301', ''],
];

for (const [text, expected] of folded) {
  letters(`${JSON.stringify(text)} is compared as ${JSON.stringify(expected)}`, () => {
    assert.is(foldLetters(text), expected);
  });
}

letters('folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => foldLetters(foldLetters(text)) === foldLetters(text)),
    { numRuns: 300 },
  );
});

letters('texts are ordered as people order letters', () => {
  const names = ['zeta', 'Éclair', 'beta', 'Alpha', 'ecru', '😀', '\uffee', 'Łódź', 'Lyon', 'lodge'];
  assert.equal(names.sort(compareLetters), [
    ...['Alpha', 'beta', 'Éclair', 'ecru', 'lodge', 'Łódź', 'Lyon', 'zeta'],
    ...['\uffee', '😀'],
  ]);
  assert.is(compareLetters('cafe', 'CAFÉ'), 0);
});

letters.run();
