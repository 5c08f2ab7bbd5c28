// What every maker of a piece of the document has at hand.
import type { Language } from '../../locales/language.ts';

/** A part of the document. */
export type Members = { readonly [name: string]: unknown };

/** What the document takes of a language. */
export type Words = Pick<Language, 'describe' | 'errors'>;

/** The text of a description in the language of the document. */
export type Describe = Language['describe'];
