// Slugs.
// COMPAT: imitates `sanitize_title` of WordPress, so that imported and typed slugs stay what they were.
import { foldToAscii } from './ascii-folding.ts';
import { decodeEntities, stripTags } from './plain-text.ts';

/** The longest slug, in characters of its percent-encoded form. */
export const MAX_SLUG_LENGTH = 200;

const TRASHED = '__trashed';
const PLAIN = /^[A-Za-z0-9_ -]*$/;
const CLEAN = /^(?!-)(?:-?[a-z0-9_])*$/;
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The slug of a title or name, or a typed slug: accents folded to ASCII, tags removed, lower case, words joined by
 * single hyphens, other scripts percent-encoded in lower case. At most 200 characters, never cut inside an encoded
 * character. `''` if nothing remains (the caller then uses the id). Idempotent.
 */
export function slugFrom(text: string): string {
  const words = PLAIN.test(text) ? text.toLowerCase() : spelledOut(text);
  return shortened(joined(words), MAX_SLUG_LENGTH);
}

/** The n-th slug of a series: `name-2`, `name-3`, …; the name is shortened so that everything fits. */
export function suffixedSlug(base: string, n: number): string {
  const suffix = `-${n}`;
  return shortened(base, MAX_SLUG_LENGTH - suffix.length) + suffix;
}

/** A slug with a suffix behind a hyphen; the name is shortened so that everything fits. */
export function suffixedBy(base: string, suffix: string): string {
  return `${shortened(base, MAX_SLUG_LENGTH - suffix.length - 1)}-${suffix}`;
}

/** The slug of a trashed post: `name__trashed`, which frees `name`; an empty slug becomes `__trashed`. */
export function trashedSlug(slug: string): string {
  return shortened(slug, MAX_SLUG_LENGTH - TRASHED.length) + TRASHED;
}

/**
 * The slug that a path means: `PUB-ONE`, `pub%20one` and `pub.one` are all `pub-one`. Accepts raw text and
 * percent-encoding in any case.
 */
export function normaliseForLookup(slug: string): string {
  return slugFrom(slug);
}

function joined(words: string): string {
  if (words.length <= MAX_SLUG_LENGTH && CLEAN.test(words)) return words;
  return words.replace(/[ -]+/g, '-').replace(/^-|-$/g, '');
}

/** Cuts before the character that would not fit, and removes hyphens at the end. */
function shortened(slug: string, limit: number): string {
  if (slug.length <= limit) return slug;
  let end = limit;
  while (isInsideCharacter(slug, end)) end--;
  return slug.slice(0, end).replace(/-+$/, '');
}

/** Whether a cut at `at` would split a `%xx` or a character of several bytes. */
function isInsideCharacter(slug: string, at: number): boolean {
  if (slug.charAt(at - 1) === '%' || slug.charAt(at - 2) === '%') return true;
  return slug.charAt(at) === '%' && /[89ab]/.test(slug.charAt(at + 1));
}

function spelledOut(text: string): string {
  const characters = withoutPercent(decodeEntities(stripTags(text)));
  if (ASCII.test(characters)) return withoutPunctuation(characters.toLowerCase());
  // Some letters, such as the florin sign, fold only in lower case.
  const folded = foldToAscii(foldToAscii(characters.normalize('NFC')).toLowerCase());
  const letters = withoutPunctuation(withoutForeignPunctuation(folded)).normalize('NFC');
  return letters.replace(/[^\x00-\x7f]+/g, encoded);
}

const BETWEEN_WORDS = /[\t\n\r\f\v ./]+/g;
const NOT_IN_A_SLUG = /[\x00-\x1f!-,:-@[-^`{-\x7f]+/g;

function withoutPunctuation(text: string): string {
  return text.replace(BETWEEN_WORDS, ' ').replace(NOT_IN_A_SLUG, '');
}

/** Unicode blanks, dashes and the minus sign separate words; Western quotes, signs and invisible marks are removed. */
const FOREIGN_BETWEEN_WORDS = /[\u0085\u00a0\u1680\u2000-\u200a\u2010-\u2015\u2028\u2029\u202f\u205f\u2212\u3000]+/g;
const FOREIGN_NOT_IN_A_SLUG =
  /[\u0080-\u0084\u0086-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u02bc\u02ca\u02cb\u200b-\u200d\u2016-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u206f\u2122\ufeff]+/g;
const LOOSE_ACCENTS = /[\u0300-\u036f]+/g;

function withoutForeignPunctuation(text: string): string {
  return text.replace(FOREIGN_BETWEEN_WORDS, ' ').replace(FOREIGN_NOT_IN_A_SLUG, '').replace(LOOSE_ACCENTS, '');
}

/** Half of a surrogate pair cannot be encoded, so it is removed. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}+/gu, '')).toLowerCase();
}

const ENCODED_RUN = /(?:%[\da-f]{2})+/gi;

/** Decodes percent-encoded characters; a `%` that encodes nothing is removed like other punctuation. */
function withoutPercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ENCODED_RUN, decodedRun);
}

function decodedRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
