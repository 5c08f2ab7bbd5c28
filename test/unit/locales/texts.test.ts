import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT, LANGUAGE_CODES, languageNamed, TRANSLATIONS } from '../../../src/locales/catalogue.ts';
import { ENGLISH } from '../../../src/locales/en.ts';
import type { Language, Translation } from '../../../src/locales/language.ts';
import { sameIn } from './same-words.ts';

const test = suite('texts of every language');

/** All texts of a language but descriptions, by a path. */
function textsOf(language: Omit<Language, 'describe'>): ReadonlyMap<string, string> {
  const { free, errors, sentences, phrases } = language;
  return new Map(leavesOf({ free, errors, sentences, phrases }, ''));
}

function leavesOf(value: object, at: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    // Which field decides between two sentences is no text.
    const path = name === 'by' ? `${at}/by ${member}` : `${at}/${name}`;
    return typeof member === 'string' ? [[path, name === 'by' ? '-' : member]] : leavesOf(member, path);
  });
}

const PLACEHOLDER = /\{[\w.]+\}/g;
const placeholdersIn = (text: string): string[] => [...new Set(text.match(PLACEHOLDER))].sort();

const ENGLISH_TEXTS = textsOf(ENGLISH);

/** The full stop of a language; a text that ends in another one was not written in it. */
const FULL_STOPS: { readonly [code: string]: string } = { ja: '。' };
const FULL_STOP = /[.。]$/;

/** Japanese sets no blanks: neither between words nor beside names and digits. */
const BLANK_IN_JAPANESE = /[\p{scx=Hira}\p{scx=Kana}\p{scx=Han}] | [\p{scx=Hira}\p{scx=Kana}\p{scx=Han}]/u;

test('English is what is spoken by default, and its errors are those of the catalogue', () => {
  assert.is(DEFAULT, ENGLISH);
  assert.is(ENGLISH.errors['rest-event-not-found'], 'There is no such event.');
  assert.is(ENGLISH.describe('City.'), 'City.');
});

test('every language has a code of its own, by which it is found', () => {
  assert.is(new Set(LANGUAGE_CODES).size, TRANSLATIONS.length + 1);
  for (const code of LANGUAGE_CODES) assert.is(languageNamed(code)?.code, code);
  assert.is(languageNamed('xx'), undefined);
});

test('a description that is not translated stays English', () =>
  assert.is(languageNamed('de')?.describe('Nobody has translated this.'), 'Nobody has translated this.'));

const untranslatedIn = ({ code, ...translation }: Translation): string[] => {
  const same = sameIn(code);
  return [...textsOf({ code, ...translation })]
    .filter(([path, text]) => text !== '-' && text === ENGLISH_TEXTS.get(path) && !same.has(text))
    .map(([path]) => path);
};

for (const translation of TRANSLATIONS) {
  const { code, descriptions } = translation;
  const texts = textsOf(translation);

  test(`${code}: it has the same texts as English, no more and no fewer`, () => {
    const missing = [...ENGLISH_TEXTS].filter(([path]) => !texts.has(path));
    assert.equal(missing, [], `src/locales/${code}.ts lacks:\n${missing.map((one) => one.join(': ')).join('\n')}`);
    assert.equal(
      [...texts.keys()].filter((path) => !ENGLISH_TEXTS.has(path)),
      [],
    );
  });

  test(`${code}: no text is empty`, () => {
    const all = [...texts, ...Object.entries(descriptions)];
    assert.equal(
      all.filter(([, text]) => text === '' || (text.trim() === '' && text !== ' ')).map(([path]) => path),
      [],
    );
  });

  test(`${code}: the same values stand in each text as in English`, () => {
    for (const [path, text] of texts)
      assert.equal(placeholdersIn(text), placeholdersIn(ENGLISH_TEXTS.get(path) ?? ''), path);
    for (const [english, text] of Object.entries(descriptions))
      assert.equal(placeholdersIn(text), placeholdersIn(english), english);
  });

  test(`${code}: no text is still English`, () => {
    assert.equal(untranslatedIn(translation), []);
    const same = sameIn(code);
    assert.equal(
      Object.entries(descriptions).filter(([english, text]) => english === text && !same.has(english)),
      [],
    );
  });

  test(`${code}: a text ends as the English one does, as a sentence or not`, () => {
    const ends = (text: string): boolean => FULL_STOP.test(text);
    const pairs = [...texts].map(([path, text]) => [ENGLISH_TEXTS.get(path) ?? '', text] as const);
    for (const [english, text] of [...pairs, ...Object.entries(descriptions)])
      assert.is(ends(text), ends(english), `${english}\n${text}`);
  });

  test(`${code}: full stops are those of the language`, () => {
    const fullStop = FULL_STOPS[code] ?? '.';
    for (const text of [...texts.values(), ...Object.values(descriptions)])
      assert.is(FULL_STOP.exec(text)?.[0] ?? fullStop, fullStop, text);
  });
}

test('ja: no blank stands beside Japanese letters', () => {
  const japanese = TRANSLATIONS.find(({ code }) => code === 'ja');
  assert.ok(japanese);
  for (const text of [...textsOf(japanese).values(), ...Object.values(japanese.descriptions)])
    assert.not.match(text, BLANK_IN_JAPANESE);
});

test.run();
