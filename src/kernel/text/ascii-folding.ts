// Latin letters without accents. COMPAT: folds the letters that WordPress's `remove_accents` folds.

/** Latin letters that are not a base letter with an accent, so removing accents does not fold them. */
const SPECIAL_LETTERS: Readonly<Record<string, string>> = {
  ª: 'a',
  º: 'o',
  Æ: 'AE',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Ø: 'O',
  ø: 'o',
  Þ: 'TH',
  þ: 'th',
  ß: 's',
  ẞ: 'S',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: 'n',
  Ŋ: 'N',
  ŋ: 'n',
  Œ: 'OE',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
  ſ: 's',
  Ə: 'E',
  ə: 'e',
  Ɨ: 'I',
  ɨ: 'i',
  ƒ: 'f',
  Ǆ: 'DZ',
  ǅ: 'Dz',
  ǆ: 'dz',
  Ǉ: 'LJ',
  ǈ: 'Lj',
  ǉ: 'lj',
  Ǌ: 'NJ',
  ǋ: 'Nj',
  ǌ: 'nj',
  Ǳ: 'DZ',
  ǲ: 'Dz',
  ǳ: 'dz',
  Ǽ: 'AE',
  ǽ: 'ae',
  Ǿ: 'O',
  ǿ: 'o',
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
};
/** Signs that slugs spell out. */
const SIGNS: Readonly<Record<string, string>> = { '€': 'E', '£': '', '×': 'x' };
const LATIN = /[\u00a3\u00aa\u00ba\u00c0-\u024f\u0259\u0268\u1e00-\u1eff\u20ac\u212a\u212b\ufb00-\ufb04]/g;

/**
 * Folds accented and special Latin letters to ASCII, as slugs do (`Łódź` to `Lodz`); other scripts stay. Expects NFC
 * text.
 */
export function foldToAscii(text: string): string {
  return text.replace(LATIN, foldedLetter);
}

function foldedLetter(letter: string): string {
  const special = SIGNS[letter] ?? SPECIAL_LETTERS[letter];
  if (special !== undefined) return special;
  const base = letter.normalize('NFD').charAt(0);
  return base < '\x7f' ? base : letter;
}

// Text in the form in which it is searched and sorted.

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
