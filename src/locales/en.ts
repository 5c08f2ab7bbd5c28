// English. Its texts stand where things are declared: errors in the catalogue, sentences with the history, descriptions in the
// schemas. Every other language is a file like de.ts.

import { ENGLISH as SENTENCES } from './en-sentences.ts';
import { ERRORS, type ErrorCode } from './error-catalogue.ts';
import type { Language } from './language.ts';
import { ENGLISH_PHRASES } from './phrases.ts';

export const ENGLISH: Language = {
  code: 'en',
  free: 'Free',
  // Made from the members of ERRORS, which are the codes.
  errors: Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as {
    readonly [Code in ErrorCode]: string;
  },
  sentences: SENTENCES,
  phrases: ENGLISH_PHRASES,
  describe: (english) => english,
};
