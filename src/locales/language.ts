// What a language says: every text that people read, and how values get into it.
import type { ErrorCode } from './error-catalogue.ts';
import type { ENGLISH_PHRASES, PhraseName, Phrases } from './phrases.ts';
import type { Sentences } from './sentences.ts';

export interface Language {
  /** As in `DAYBOOK_LANGUAGE` and `Content-Language`: `de`. */
  readonly code: string;
  /** What costs nothing: the cost of such events. */
  readonly free: string;
  /** The text of each error. */
  readonly errors: { readonly [Code in ErrorCode]: string };
  /** What happened, in histories and in the feed of changes. */
  readonly sentences: Sentences;
  /** Texts with values in them. */
  readonly phrases: Phrases;
  /** A description of a parameter, field or route, by its English text. One that is not translated stays English. */
  describe(english: string): string;
}

/** What the file of a language holds; English stands where things are declared. */
export interface Translation extends Omit<Language, 'describe'> {
  /** By the English text, to the letter. */
  readonly descriptions: { readonly [english: string]: string };
}

export function languageFrom({ descriptions, ...texts }: Translation): Language {
  const known = new Map(Object.entries(descriptions));
  return { ...texts, describe: (english) => known.get(english) ?? english };
}

/** A text that is put into words when it is known who reads it. */
export type Wording = (language: Language) => string;

export type PhraseValue = string | number | Wording | readonly (string | Wording)[];

/** The names in braces: `'id' | 'kind'` of `'{kind} {id}'`. */
type PlaceholdersIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never;
type PlaceholdersOf<Name extends PhraseName> = PlaceholdersIn<(typeof ENGLISH_PHRASES)[Name]>;
type ValuesOf<Name extends PhraseName> = [PlaceholdersOf<Name>] extends [never]
  ? []
  : [values: { readonly [Placeholder in PlaceholdersOf<Name>]: PhraseValue }];

/** A phrase with its values, in whatever language it will be read. Values in a list are joined as the language does it. */
export const phrase =
  <Name extends PhraseName>(name: Name, ...[values]: ValuesOf<Name>): Wording =>
  (language) => {
    const known: { readonly [placeholder: string]: PhraseValue | undefined } = values ?? {};
    return language.phrases[name].replace(PLACEHOLDER, (_, placeholder: string) =>
      inWords(known[placeholder] ?? '', language),
    );
  };

const PLACEHOLDER = /\{([a-z_]+)\}/g;

function inWords(value: PhraseValue, language: Language): string {
  if (typeof value === 'function') return value(language);
  if (typeof value !== 'object') return String(value);
  return value.map((member) => inWords(member, language)).join(language.sentences.separator);
}

/** Whole clauses, one after the other. */
export const clauses =
  (wordings: readonly Wording[]): Wording =>
  (language) =>
    wordings.map((wording) => wording(language)).join(language.phrases.clause_separator);
