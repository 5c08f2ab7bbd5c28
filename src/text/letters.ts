// Text in the form in which it is searched and sorted.
import { SPECIAL_LETTERS } from './ascii-folding.ts';

const ASCII = /^[\x00-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]+/g;
const SPECIAL = /[\u00aa\u00ba\u00df-\u02af\u03c2\ufb00-\ufb04]/g;
/** Where comparing differs from spelling: German readers search for `strasse`, and Greek has one sigma. */
const COMPARED: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ' };

/** Letters without case and accents (`Łódź` as `lodz`); other characters stay. Idempotent. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(ACCENTS, '');
  return bare.replace(SPECIAL, (letter) => COMPARED[letter] ?? SPECIAL_LETTERS[letter] ?? letter).normalize('NFC');
}

/** Orders texts alphabetically: Alpha, beta, Éclair, zeta. 0 for texts that differ only in case and accents. */
export const compareLetters = (one: string, other: string): number =>
  compareFolded(foldLetters(one), foldLetters(other));

/** Like `compareLetters`, for texts that `foldLetters` has folded. */
export function compareFolded(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Compares code points: a surrogate pair sorts after all single characters. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
