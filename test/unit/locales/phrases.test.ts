import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import german from '../../../src/locales/de.json' with { type: 'json' };
import { type Language, languageFrom, type Texts } from '../../../src/locales/language.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import { clauses, phrase } from '../../../src/locales/phrases.ts';

const test = suite('phrases with values');

/** German with separators and quotes of its own. */
const odd: Texts = {
  ...german,
  sentences: { ...german.sentences, separator: '、' },
  phrases: {
    ...german.phrases,
    clause_separator: ' / ',
    invalid_parameters: '[{names}]',
    refused_parameter: '{why}: {name}',
  },
};
const language: Language = languageFrom(odd);

test('values stand where the language puts them', () => {
  const text = phrase('mistyped_parameter', { name: 'featured', type: 'boolean' });
  assert.is(text(ENGLISH), 'featured is not of type boolean.');
  assert.is(text(language), 'featured ist nicht vom Typ boolean.');
  assert.is(phrase('refused_parameter', { name: 'a', why: 'No.' })(language), 'No.: a');
});

test('a list is joined as the language does it, and so are clauses', () => {
  const text = phrase('invalid_parameters', { names: ['a', 'b'] });
  assert.is(text(ENGLISH), 'Invalid parameter(s): a, b');
  assert.is(text(language), '[a、b]');
  assert.is(clauses([text, text])(language), '[a、b] / [a、b]');
});

test('a value that is a text itself is put into the same language', () => {
  const why = phrase('revision_is_whole');
  assert.is(
    phrase('refused_parameter', { name: 'revision', why })(language),
    'Fassungen sind ganze Zahlen ab 0.: revision',
  );
});

test('what looks like a placeholder in a value is left alone', () =>
  assert.is(
    phrase('unknown_type', { word: '{kinds} $& $1', kinds: ['event'] })(ENGLISH),
    '"{kinds} $& $1" is neither a kind (event) nor a type of domain event.',
  ));

test.run();
