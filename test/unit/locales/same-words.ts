// Texts that may be the same in English and in another language.

/** They hold no words. */
const WORDLESS: readonly string[] = [', ', '; ', '{kind} {id}'];

/** Names and international words, by the language in which they are the same. */
const WORDS: { readonly [code: string]: readonly string[] } = {
  de: [],
  fr: ['Province.', 'Slug.'],
  es: ['Slug.', 'no'],
  it: ['Slug.', 'no'],
  pt: ['Links.', 'Slug.'],
  nl: ['Details.', 'Id.', 'Links.', 'Slug.', 'tag {id}', 'tags'],
};

export const sameIn = (code: string): ReadonlySet<string> => new Set([...WORDLESS, ...(WORDS[code] ?? [])]);
