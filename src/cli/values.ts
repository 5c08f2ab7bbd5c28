// Parsers for the texts of the command line.
import { COLLECTIONS } from '../calendar/resource/domain/collections.ts';
import { POST_KINDS, type PostKind } from '../calendar/resource/domain/post.ts';
import { TERM_KINDS, type TermKind } from '../calendar/term/domain/term.ts';
import { isDay } from '../exchange/import/fields.ts';
import type { ValueType } from './command.ts';

export const POSITIVE_INTEGER = wholeNumber(10 ** 15 - 1, 'a positive integer');

export function wholeNumber(max: number, must = `a whole number from 1 to ${max}`): ValueType<number> {
  return {
    must,
    read: (text) => (/^[1-9]\d{0,14}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
  };
}

/** A number of seconds up to `max`, including fractions. */
export const seconds = (max: number): ValueType<number> => ({
  must: `a number of seconds up to ${max}`,
  read(text) {
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
    return value > 0 && value <= max ? value : undefined;
  },
});

export const oneOf = <const Word extends string>(words: readonly Word[]): ValueType<Word> => ({
  must: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text),
});

/** A kind of resources, by what their collection is called. */
export const COLLECTION: ValueType<PostKind | TermKind> = {
  must: `one of ${Object.values(COLLECTIONS).join(', ')}`,
  read: (text) => [...POST_KINDS, ...TERM_KINDS].find((kind) => COLLECTIONS[kind] === text),
};

export const DAY: ValueType<string> = {
  must: 'a day such as 2030-05-31',
  read: (text) => (isDay(text) ? text : undefined),
};

/** A non-blank text, trimmed. */
export const TEXT: ValueType<string> = { must: 'a text that is not blank', read: (text) => text.trim() || undefined };

export const REASON = {
  value: 'TEXT',
  description: 'why; the history shows it',
  type: TEXT,
} as const;

export const JSON_FLAG = { description: 'answer with one line of JSON for programs' } as const;
