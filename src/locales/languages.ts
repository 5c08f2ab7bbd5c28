// The available languages. Another one is a file like de.json and a line here.
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import { type Language, languageFrom, type Texts } from './language.ts';
import nl from './nl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

/** English is the default: of a process without a setting, and of texts for developers. */
export const ENGLISH: Language = languageFrom(en);

/** All but English. */
export const TRANSLATIONS: readonly Texts[] = [de, fr, es, it, pt, nl, ja];

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  [ENGLISH, ...TRANSLATIONS.map(languageFrom)].map((language) => [language.code, language]),
);

export const LANGUAGE_CODES: readonly string[] = [...LANGUAGES.keys()];

/** The language that has these sentences. */
export const languageOf = (sentences: Language['sentences']): Language =>
  [...LANGUAGES.values()].find((language) => language.sentences === sentences) ?? ENGLISH;

export const languageNamed = (code: string): Language | undefined => LANGUAGES.get(code);

/** The language of an installation. */
export const configuredLanguage = ({ language }: { readonly language: string }): Language =>
  languageNamed(language) ?? ENGLISH;
