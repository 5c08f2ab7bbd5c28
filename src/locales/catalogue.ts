// The languages that there are. Another one is a file like de.ts and a line here.
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FRENCH } from './fr.ts';
import { ITALIAN } from './it.ts';
import { JAPANESE } from './ja.ts';
import { type Language, languageFrom, type Translation } from './language.ts';
import { DUTCH } from './nl.ts';
import { PORTUGUESE } from './pt.ts';

/** All but English. */
export const TRANSLATIONS: readonly Translation[] = [GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, JAPANESE];

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [ENGLISH, ...TRANSLATIONS.map(languageFrom)].map((language) => [language.code, language]),
);

export const LANGUAGE_CODES: readonly string[] = [...LANGUAGES.keys()];

/** What is spoken when nobody says anything else. */
export const DEFAULT = ENGLISH;

/** The language of an installation. */
export const spoken = ({ language }: { readonly language: string }): Language => languageNamed(language) ?? DEFAULT;

export const languageNamed = (code: string): Language | undefined => LANGUAGES.get(code);
