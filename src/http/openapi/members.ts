// Parts of the document.
import { ANSWER_HEADERS, type AnswerHeader, COMMON_HEADERS } from './documentation/shared.ts';

/** A part of the document. */
export type Members = { readonly [name: string]: unknown };

export const mapped = <T>(named: { readonly [name: string]: T }, make: (one: T) => unknown): Members =>
  Object.fromEntries(Object.entries(named).map(([name, one]) => [name, make(one)]));

export const schemaReference = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });

export const headersOf = (names: readonly AnswerHeader[]): Members =>
  Object.fromEntries(
    [...names, ...COMMON_HEADERS].map((name) => [ANSWER_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );
