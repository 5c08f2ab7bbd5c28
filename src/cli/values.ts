// Parsers for the texts of the command line.
import { isDay } from '../exchange/import/fields.ts';
import type { ValueType } from './command.ts';

export const POSITIVE_INTEGER: ValueType<number> = wholeNumber(10 ** 15 - 1, 'a positive integer');

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
