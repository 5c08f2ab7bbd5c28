// Values for handlers: lists, ids, flags, from any notation of clients. They expect valid values.
import type { CostInput } from '../../calendar/event/domain/cost.ts';
import type { TermReference } from '../../calendar/term/domain/term.ts';
import { textOf } from '../../kernel/text/wire-words.ts';

const INTEGER_TEXT = /^\+?\d+(?:\.0*)?$|^\d+(?:\.\d+)?e\+?\d{1,2}$/i;

/** A positive integer in the notations of clients (`5`, `"5"`, `" 5"`, `"5.0"`, `"1e1"`); null for anything else. */
export function positiveInteger(value: unknown): number | null {
  const number = typeof value === 'string' && INTEGER_TEXT.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0
    ? Math.min(number, Number.MAX_SAFE_INTEGER)
    : null;
}

/** Amounts and texts; objects count as the list of their values. Null clears. */
export function costSent(value: unknown): CostInput | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : null;
  const members: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const parts = members.filter((member) => typeof member === 'string' || typeof member === 'number');
  return parts.length === 0 ? null : parts;
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Numbers are ids; other texts are slugs or names. Empty values and 0 are skipped. */
export function termsSent(value: unknown): TermReference[] {
  const members: unknown[] =
    typeof value === 'object' && value !== null ? Object.values(value) : textOf(value).split(',');
  return members.flatMap((member): TermReference[] => {
    const trimmed = textOf(member).trim();
    if (isEmpty(trimmed)) return [];
    return [NUMBER.test(trimmed) ? { id: positiveInteger(trimmed) ?? 0 } : { text: trimmed }];
  });
}

/** Whether a value is empty: null, false, `''`, `0`, `'0'`, an empty list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 0 || value === '0')
    return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
