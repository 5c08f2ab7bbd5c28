// Texts that may be the same in English and in another language.

/** They hold no words. */
const WORDLESS: readonly string[] = [
  ...[', ', '; ', '{kind} {id}'],
  // Parts of the sentences of recurrences.
  ...['{n}', '{day}', '{date}', '{every} {places}', '{from} {to}', '{rule} {span}'],
];

/** Names and international words, by the language in which they are the same. */
const WORDS: { readonly [code: string]: readonly string[] } = {
  de: [],
  fr: ['Province.', 'Slug.'],
  es: ['Slug.', 'no'],
  it: ['Slug.', 'no', '{every} in {months}'],
  pt: ['Links.', 'Slug.'],
  nl: ['Details.', 'Id.', 'Links.', 'Slug.', 'tag {id}', 'tags', '{every} in {months}'],
};

export const sameIn = (code: string): ReadonlySet<string> => new Set([...WORDLESS, ...(WORDS[code] ?? [])]);
