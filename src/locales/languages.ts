// The available languages. Another one is a file like de.json and its code here.
import { createRequire } from 'node:module';
import en from './en.json' with { type: 'json' };
import { type Language, languageFrom, type Texts } from './language.ts';

const load = createRequire(import.meta.url);

/** English is the default: of a process without a setting, and of texts for developers. */
export const ENGLISH = languageFrom(en);

export const LANGUAGE_CODES: readonly string[] = [ENGLISH.code, 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja'];

/** Those that have been asked for: reading all took 27 ms of each command and of each start. */
const languages = new Map([[ENGLISH.code, ENGLISH]]);

/** The language that has these sentences. */
export const languageOf = (sentences: Language['sentences']): Language =>
  [...languages.values()].find((language) => language.sentences === sentences) ?? ENGLISH;

export function languageNamed(code: string): Language | undefined {
  const before = languages.get(code);
  if (before !== undefined || !LANGUAGE_CODES.includes(code)) return before;
  // That each of them has all texts is tested.
  const language = languageFrom(load(`./${code}.json`) as Texts);
  languages.set(code, language);
  return language;
}

/** The language of an installation. */
export const configuredLanguage = ({ language }: { readonly language: string }): Language =>
  languageNamed(language) ?? ENGLISH;
