// Words of pages in the language of the visitor.
import type { DeskWord, Language, PageWord } from '../locales/language.ts';

export type Words = (word: PageWord, values?: { readonly [name: string]: string | number }) => string;

export type DeskWords = (word: DeskWord, values?: { readonly [name: string]: string | number }) => string;

export const wordsIn = ({ pages }: Pick<Language, 'pages'>): Words => wordsOf(pages);

/** `{total}` and the like are replaced. */
export const wordsOf =
  <Word extends string>(texts: { readonly [one in Word]: string }) =>
  (word: Word, values: { readonly [name: string]: string | number } = {}): string =>
    texts[word].replace(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot));
