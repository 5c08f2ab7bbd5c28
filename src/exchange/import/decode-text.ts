// Decodes bytes by their byte order mark, their declared encoding, or else by trial.

const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Encodings whose bytes may be those of UTF-8 by chance. */
const ASCII_BYTES = /2022|utf-?7/i;

/** An encoding that nothing says: people can tell by a word whether it is the right one. */
export interface EncodingGuess {
  readonly encoding: string;
  readonly example: string;
}

interface Decoded {
  readonly text: string;
  readonly guess: EncodingGuess | null;
}

/** `decodeWithGuess`, where no one could choose another encoding. */
export const decodeText = (bytes: Uint8Array, charset?: string): string => decodeWithGuess(bytes, charset).text;

/**
 * `charset` is the declared encoding, if any; what is UTF-8 counts as that, since servers declare one for all their files.
 * UTF-8 with some broken bytes has a replacement character for each of them; bytes that are no UTF-8 are decoded as what
 * their letters are most like. Never throws.
 */
export function decodeWithGuess(bytes: Uint8Array, charset = ''): Decoded {
  const text = saidText(bytes, charset);
  if (text !== null) return { text, guess: null };
  const encoding = likeliestEncoding(bytes);
  const content = new TextDecoder(encoding).decode(bytes);
  const [example = ''] = /[^\s,;:|"]*[^\0-\x7f][^\s,;:|"]*/.exec(content) ?? [];
  return { text: content, guess: { encoding, example: example.slice(0, MAX_EXAMPLE) } };
}

const MAX_EXAMPLE = 30;

/** Null: neither the bytes nor their declaration say what they are. */
function saidText(bytes: Uint8Array, charset: string): string | null {
  const first = bytes.length < WIDEST ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (first === 0xfffe0000 || first === 0xfeff) return fromUtf32(bytes, first !== 0xfeff);
  const byteOrderMark = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  const wide = wideEncoding(byteOrderMark?.[1] ?? '', bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  for (const encoding of [ASCII_BYTES.test(charset) ? charset : '', 'utf-8', charset]) {
    const text = encoding === '' ? null : attempt(encoding, bytes);
    if (text !== null) return text;
  }
  const whole = withWholeCharacters(bytes);
  const isMarked = byteOrderMark?.[1] === 'utf-8' || /^utf-?8$/i.test(charset);
  return isMarked || isMostlyUtf8(whole) ? new TextDecoder().decode(whole) : null;
}

/** Letters that every text has many of, by encodings in which the bytes of others are hardly ever these. */
const LETTERS: readonly (readonly [encoding: string, letters: RegExp])[] = [
  ['euc-kr', /[가-힣]/g],
  ['shift_jis', /[ぁ-んァ-ヶー]/g],
  ['windows-1251', /[оеаитнсрвлкмдпу]/g],
  ['windows-1253', /[αοιετσνηυρπκμλς]/g],
  ['gbk', /[的一是不了在人有我他这中大来上国个到说们为和你地出年月日会学市音展公园节]/g],
  ['big5', /[的一是不了在人有我他這中大來上國個到說們為和你地出年月日會學市音展公園節]/g],
];
/** Characters of three bytes or more in a row: words of languages in which letters beyond ASCII are no exception. */
const FOREIGN_WORDS = /[\x80-\xff]{3,}/;
/** The letters of a language are at least this share of all characters beyond ASCII. */
const MIN_SHARE = 0.15;

function likeliestEncoding(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const candidates = (FOREIGN_WORDS.test(latin) ? LETTERS : []).map(([encoding, letters]) => {
    const text = attempt(encoding, bytes) ?? '';
    const share = (text.match(letters)?.length ?? 0) / (text.match(/[^\0-\x7f]/g)?.length ?? 1);
    return { encoding, share };
  });
  const [best] = candidates.toSorted((one, other) => other.share - one.share);
  return best && best.share > MIN_SHARE ? best.encoding : 'windows-1252';
}

/** Bytes of a character of UTF-32, which no engine decodes. */
const WIDEST = 4;

/** Behind the mark. What is no character is a replacement character. */
function fromUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = WIDEST; at + WIDEST <= bytes.length; at += WIDEST) {
    const code = view.getUint32(at, isLittleEndian);
    text += code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  }
  return text;
}

/** UTF-16 by its mark, or else by the zero of a first letter; null for bytes that are something else. */
function wideEncoding(encoding: string, [first, second, third, fourth]: Uint8Array): string | null {
  if (encoding.startsWith('utf-16')) return encoding;
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : null;
}

/** Null for an unknown encoding, or bytes that are not in it. The byte order mark is not part of the text. */
function attempt(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const CALENDAR = /^(?:\xef\xbb\xbf)?\s*BEGIN:VCALENDAR/i;
const SPLIT = /([\xc2-\xf4][\x80-\xbf]{0,2})((?:(?:\r*\n|\r)[ \t])+)([\x80-\xbf])/g;
/** The most bytes of a character. */
const LONGEST = 4;

/** Calendars may fold a line inside a character: the fold is moved behind it, so that no line has another number. */
function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!CALENDAR.test(text.slice(0, 1_000))) return bytes;
  for (let byte = 1; byte < LONGEST; byte += 1) text = text.replace(SPLIT, '$1$3$2');
  return Buffer.from(text, 'latin1');
}

const CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const BEYOND_ASCII = /[\x80-\xff]/g;

/** Whether more bytes beyond ASCII are parts of characters of UTF-8 than are not: by chance they hardly ever are. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const sum = (matches: Iterable<RegExpMatchArray>): number => {
    let length = 0;
    for (const [part] of matches) length += part.length;
    return length;
  };
  return 2 * sum(text.matchAll(CHARACTER)) > sum(text.matchAll(BEYOND_ASCII));
}
