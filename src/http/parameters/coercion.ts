// Converts a sent value to the declared type.
import type { TSchema } from 'typebox';
import { textOf } from '../../kernel/text/wire-words.ts';
import { type WireType, wireSchema } from '../schemas/keywords.ts';
import { positiveInteger } from './readers.ts';

type Coercion =
  | { readonly kind: 'value'; readonly value: unknown }
  /** As if it had not been sent. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'mistyped'; readonly type: WireType };

const ABSENT: Coercion = { kind: 'absent' };
const valued = (value: unknown): Coercion => ({ kind: 'value', value });

/** Converts a valid value as its schema says. Without a type anything is kept, and null counts as absent. */
export function coerced(value: unknown, schema: TSchema): Coercion {
  const { type, alsoTakes = [] } = wireSchema(schema);
  if (value === null) return coercedNull(type, alsoTakes);
  if (type === undefined) return valued(value);
  if (type === 'number' && value === '') return alsoTakes.includes('null') ? valued(null) : ABSENT;
  const outcome = READERS[type](value, alsoTakes);
  return outcome === undefined ? { kind: 'mistyped', type } : valued(outcome);
}

function coercedNull(type: WireType | undefined, alsoTakes: readonly string[]): Coercion {
  if (alsoTakes.includes('null')) return valued(null);
  return type === undefined ? ABSENT : { kind: 'mistyped', type };
}

type Reader = (value: unknown, alsoTakes: readonly string[]) => string | number | boolean | undefined;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const READERS: { readonly [type in WireType]: Reader } = {
  string: (value, alsoTakes) => {
    if (typeof value === 'string') return value;
    return alsoTakes.includes(typeof value) ? textOf(value) : undefined;
  },
  integer: (value) => positiveInteger(value) ?? wholeNumber(value),
  number: (value) => (typeof value === 'number' || isNumeric(value) ? Number(value) : undefined),
  boolean: (value) => BOOLEANS.get(textOf(value).toLowerCase()),
};

const isNumeric = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));

/** Zero and negative integers, which some parameters accept. */
function wholeNumber(value: unknown): number | undefined {
  const number = isNumeric(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}
