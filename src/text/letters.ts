// Text as people compare it, to search and to sort by.
import { SPECIAL_LETTERS } from './ascii-folding.ts';

const ASCII = /^[\x00-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]+/g;
const SPECIAL = /[\u00aa\u00ba\u00df-\u02af\u03c2\ufb00-\ufb04]/g;
/** Where comparing differs from spelling: who reads German looks for `strasse`, and Greek has one sigma. */
const COMPARED: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ' };

/** Letters without case and accents (`Łódź` as `lodz`); what is no letter stays. Folding twice changes nothing. */
export function foldLetters(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(ACCENTS, '');
  return bare.replace(SPECIAL, (letter) => COMPARED[letter] ?? SPECIAL_LETTERS[letter] ?? letter).normalize('NFC');
}

/** Orders texts by their letters: Alpha, beta, Éclair, zeta. 0 for texts that differ in case and accents alone. */
export const compareLetters = (one: string, other: string): number =>
  compareFolded(foldLetters(one), foldLetters(other));

/** As `compareLetters`, of what `foldLetters` has folded before. */
export function compareFolded(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Goes by code points: halves of a pair stand for a character behind all that are written alone. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
