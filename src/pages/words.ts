// Words of pages in the language of the visitor.
import type { Language, PageWord } from '../locales/language.ts';

export type Words = (word: PageWord, values?: { readonly [name: string]: string | number }) => string;

/** `{total}` and the like are replaced. */
export const wordsIn =
  ({ pages }: Pick<Language, 'pages'>): Words =>
  (word, values = {}) =>
    pages[word].replace(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot));
