import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import english from '../../../src/locales/en.json' with { type: 'json' };
import { ERROR_STATUSES } from '../../../src/locales/error-catalogue.ts';
import filters from '../../../src/locales/filters.json' with { type: 'json' };
import type { Texts } from '../../../src/locales/language.ts';
import { ENGLISH, LANGUAGE_CODES, languageNamed } from '../../../src/locales/languages.ts';
import { PLACEHOLDERS } from '../../../src/locales/phrases.ts';
import { sameIn } from './same-words.ts';
import { TRANSLATIONS } from './translations.ts';

const test = suite('texts of every language');

/** All texts of a language, by a path. */
function textsOf({
  code,
  free,
  errors,
  phrases,
  imports,
  sentences,
  descriptions,
}: Texts): ReadonlyMap<string, string> {
  return new Map(leavesOf({ free, errors, phrases, imports, sentences, descriptions, filters: filtersIn(code) }, ''));
}

/** The words of each filter in a language; `''` for those that it lacks. */
const filtersIn = (code: string): object =>
  Object.fromEntries(
    Object.entries<{ readonly [part: string]: { readonly [code: string]: string } }>(filters).map(([name, words]) => [
      name,
      Object.fromEntries(Object.entries(words).map(([part, texts]) => [part, texts[code] ?? ''])),
    ]),
  );

function leavesOf(value: object, at: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    // Which field decides between two sentences is no text.
    const path = name === 'by' ? `${at}/by ${member}` : `${at}/${name}`;
    return typeof member === 'string' ? [[path, name === 'by' ? '-' : member]] : leavesOf(member, path);
  });
}

const PLACEHOLDER = /\{[\w.]+\}/g;
const placeholdersIn = (text: string): string[] => [...new Set(text.match(PLACEHOLDER))].sort();

const ENGLISH_TEXTS = textsOf(english);

/** The full stop of a language; a text that ends in another one was not written in it. */
const FULL_STOPS: { readonly [code: string]: string } = { ja: '。' };
const FULL_STOP = /[.。]$/;

/** Japanese sets no blanks: neither between words nor beside names and digits. */
const BLANK_IN_JAPANESE = /[\p{scx=Hira}\p{scx=Kana}\p{scx=Han}] | [\p{scx=Hira}\p{scx=Kana}\p{scx=Han}]/u;

test('English is the default, and its errors are those of the catalogue', () => {
  assert.is(ENGLISH.code, 'en');
  assert.is(ENGLISH.errors['rest-event-not-found'], 'There is no such event.');
  assert.is(ENGLISH.describe('venue.city'), 'City.');
  assert.equal(Object.keys(english.errors).sort(), Object.keys(ERROR_STATUSES).sort());
});

test('the compiler asks for exactly the values that stand in a phrase', () => {
  const declared: { readonly [name: string]: readonly string[] } = Object.fromEntries(PLACEHOLDERS);
  for (const [name, text] of Object.entries(english.phrases))
    assert.equal((declared[name] ?? []).map((value) => `{${value}}`).sort(), placeholdersIn(text), name);
});

test('every language has a code of its own, by which it is found', () => {
  assert.equal(LANGUAGE_CODES, [ENGLISH.code, ...TRANSLATIONS.map(({ code }) => code)]);
  for (const code of LANGUAGE_CODES) assert.is(languageNamed(code)?.code, code);
  assert.is(languageNamed('xx'), undefined);
});

test('a description that no language has comes back as it is', () =>
  assert.is(languageNamed('de')?.describe('no.such.key'), 'no.such.key'));

test('no two descriptions have the same English text', () => {
  const texts = Object.values(english.descriptions);
  assert.equal(
    texts.filter((text, at) => texts.indexOf(text) !== at),
    [],
  );
});

test('every text of pages and forms is named by the code, as a whole or by a part', () => {
  const SOURCES = new URL('../../../src/', import.meta.url);
  const code = globSync('**/*.ts', { cwd: SOURCES })
    .map((file) => readFileSync(new URL(file, SOURCES), 'utf8'))
    .join('\n');
  const named = new Set(code.match(/\w+/g));
  const parts = [...code.matchAll(/`(\w*)\$\{[^}`]*\}(\w*)`/g)].filter(([, start, end]) =>
    /\w_|_\w/.test(`${start}${end}`),
  );
  const isNamed = (word: string): boolean =>
    named.has(word) || parts.some(([, start = '', end = '']) => word.startsWith(start) && word.endsWith(end));
  const { desk, pages, phrases } = english;
  assert.equal(
    [desk, pages, phrases].flatMap((texts) => Object.keys(texts).filter((word) => !isNamed(word))),
    [],
  );
});

for (const translation of TRANSLATIONS) {
  const { code } = translation;
  const texts = textsOf(translation);
  const pairs = [...texts].map(([path, text]) => [path, ENGLISH_TEXTS.get(path) ?? '', text] as const);

  test(`${code}: it has the same texts as English, no more and no fewer, in the same order`, () => {
    const missing = [...ENGLISH_TEXTS].filter(([path]) => !texts.has(path));
    assert.equal(missing, [], `src/locales/${code}.json lacks:\n${missing.map((one) => one.join(': ')).join('\n')}`);
    assert.equal([...texts.keys()], [...ENGLISH_TEXTS.keys()]);
  });

  test(`${code}: no text is empty`, () =>
    assert.equal(
      [...texts].filter(([, text]) => text === '' || (text.trim() === '' && text !== ' ')).map(([path]) => path),
      [],
    ));

  test(`${code}: the same values stand in each text as in English`, () => {
    for (const [path, english, text] of pairs) assert.equal(placeholdersIn(text), placeholdersIn(english), path);
  });

  test(`${code}: no text is still English`, () => {
    const same = sameIn(code);
    const untranslated = pairs.filter(([, english, text]) => text === english && text !== '-' && !same.has(text));
    assert.equal(
      untranslated.map(([path]) => path),
      [],
    );
  });

  test(`${code}: a text ends as the English one does, as a sentence or not`, () => {
    for (const [path, english, text] of pairs) assert.is(FULL_STOP.test(text), FULL_STOP.test(english), path);
  });

  test(`${code}: full stops are those of the language`, () => {
    const fullStop = FULL_STOPS[code] ?? '.';
    for (const text of texts.values()) assert.is(FULL_STOP.exec(text)?.[0] ?? fullStop, fullStop, text);
  });
}

test('ja: there is no blank beside Japanese letters', () => {
  const japanese = TRANSLATIONS.find(({ code }) => code === 'ja');
  assert.ok(japanese);
  for (const text of textsOf(japanese).values()) assert.not.match(text, BLANK_IN_JAPANESE);
});

test.run();
