// Numbers and currency marks in the text of a cost. COMPAT: reads costs like the REST API v1 of The Events Calendar.
import { withLatinDigits } from '../../../kernel/text/digits.ts';
import { currencyOf } from './currency.ts';

/** One number read in a cost, with its currency mark. */
export type Amount = {
  /** As written: `1,234.50`. */
  readonly written: string;
  /** With a decimal point and without grouping: `1234.50`. */
  readonly value: string;
  /** `$`, `USD`, `zł`; empty when the number has none. */
  readonly symbol: string;
  readonly position: '' | 'prefix' | 'postfix';
};

/**
 * One entry of a cost. A `price` consists of numbers, range signs and currency marks; a `text` has no number; a
 * `remark` is a sentence with numbers, which do not represent the whole.
 */
export type Price = {
  readonly kind: 'price' | 'text' | 'remark';
  readonly amounts: readonly Amount[];
  /** In `from $5` and `up to $20` the one amount is the lowest or the highest of what there is to pay. */
  readonly bound?: 'lowest' | 'highest';
};

const PLAIN_NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;
const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;

/** What says that an amount is the lowest or the highest, in front of it or behind it. */
const BOUNDS = {
  lowest: [
    /^(?:from|starting (?:at|from)|at least|min(?:\.|imum)?|ab|mindestens|à partir de|dès|desde|a partir d[ei]|da|vanaf|od|от|fra|från|alkaen)\s/iu,
    /(?:\s?[+~〜]|から|以上|起|부터|\s(?:and|or) (?:up|more|above)|\s(?:aufwärts|et plus|o más|o più|en meer|ou mais))$/iu,
  ],
  highest: [
    /^(?:up to|(?:at|not|no) (?:most|more than|over)|max(?:\.|imum|imal|imaal)?|(?:less|cheaper) than|under|below|bis(?: zu)?|höchstens|unter|jusqu['’]à|hasta|fino a|tot|até|do|до|upp? till?|op til|opp til)\s/iu,
    /(?:まで|以下|以内|까지|\s(?:or (?:less|under)|maximum|max\.?))$/iu,
  ],
} as const;

/** Reads one entry: a line of plain text. */
export function priceIn(written: string): Price {
  if (PLAIN_NUMBER.test(written)) return { kind: 'price', amounts: [bareAmount(written, written)] };
  const entry = withUsualDigits(written);
  const price = priceOf(entry);
  if (price.kind !== 'remark' || price.amounts.length !== 1) return price;
  for (const bound of ['lowest', 'highest'] as const) {
    const sign = BOUNDS[bound].find((one) => one.test(entry));
    if (sign === undefined) continue;
    const bounded = priceOf(entry.replace(sign, '').trim());
    // Where there is nothing but the amount it needs no mark.
    if (bounded.kind === 'price') return { ...price, bound, amounts: bounded.amounts };
    if (price.amounts[0]?.symbol !== '') return { ...price, bound };
  }
  return price;
}

/** Digits of other scripts, full-width signs, `12€50`, `12.–` and `1.5k`. */
const withUsualDigits = (entry: string): string =>
  withLatinDigits(entry)
    // Two are as many as three thousand, which separators would be looked for in.
    .replace(/\s{3,}/g, '  ')
    .replace(/[\uff01-\uff5e]/g, (sign) => sign.normalize('NFKC'))
    .replace(/(\d)([\u066b\u066c])(?=\d)/g, (_, digit: string, sign: string) => digit + (sign === '\u066b' ? '.' : ','))
    .replace(/(\d)\s?€(\d\d)(?![\d.,])/g, '$1,$2\u00a0€')
    .replace(/(\d)[.,:][-–—]{1,2}(?!\d)/g, '$1')
    .replace(THOUSANDS, (_, whole: string, part = '') => String(Number(`${whole}${String(part).padEnd(3, '0')}`)));

/** Beside a mark of a currency alone: `5k` may be how far people run. */
const THOUSANDS =
  /(?<![\d.,])(?:(?<=(?:\p{Sc}|\b[A-Z]{3})\s?)|(?=[\d.,]+\s?[kK]\s?(?:\p{Sc}|[A-Z]{3}\b)(?!\s?\d)))(\d{1,3})(?:[.,](\d{1,3}))?\s?[kK](?![\p{L}\d])/gu;

function priceOf(entry: string): Price {
  const numbers = [...entry.matchAll(NUMBER)].flatMap(numbersOfMatch);
  if (numbers.length === 0) return { kind: 'text', amounts: [] };
  const gaps = textBetween(entry, numbers);
  return markedPrice(numbers, gaps) ?? remark(numbers, gaps);
}

type Located = { readonly written: string; readonly value: string; readonly start: number };

function bareAmount(written: string, value: string): Amount {
  return { written, value, symbol: '', position: '' };
}

/** In a sentence only a sign, or a code of a currency, beside a number is its mark: other words may be anything. */
const MARK_BEFORE = /(?:^|[\s(/–—-])(?:([A-Z]{3})\s?\p{Sc}?|([A-Za-z]{0,3}\p{Sc}|Fr\.|Rp))\s?$/u;
const MARK_BEHIND =
  /^(?:[.,:][-–—]{1,2})?\s?(?:\p{Sc}?\s?([A-Z]{3})|(\p{Sc}[A-Za-z]{0,3}|[Ee]uros?|Franken|francs?|zł|złotych|Kč|Ft|kr|yen|reais|руб|р|lei|TL))(?![\p{L}\p{N}])/u;

function remark(numbers: readonly Located[], gaps: readonly string[]): Price {
  const marks = numbers.map((_, index) => {
    // A code says more than a sign, which several currencies share: `$20 AUD`.
    const [, codeBefore, before] = MARK_BEFORE.exec(gaps[index] ?? '') ?? [];
    const [, codeBehind, behind] = MARK_BEHIND.exec(gaps[index + 1] ?? '') ?? [];
    const marks = [codeBefore, codeBehind, before, behind];
    const symbol = marks.find((mark) => mark !== undefined && currencyOf(mark, null) !== null);
    if (symbol === undefined) return null;
    return { symbol, position: symbol === before || symbol === codeBefore ? 'prefix' : 'postfix' } as const;
  });
  const isRange = (gap: number): boolean => RANGE.test(gaps[gap] ?? '');
  const amounts = numbers.map((number, index): Amount => {
    // In a range one mark applies to both.
    const shared = (isRange(index + 1) && marks[index + 1]) || (isRange(index) && marks[index - 1]);
    const mark = marks[index] ?? (shared || { symbol: '', position: '' });
    return { ...mark, written: number.written, value: valueAt(number, mark.symbol) };
  });
  return { kind: 'remark', amounts };
}

/** Matches one number, or several joined by commas without blanks (`5,10,15`). */
function numbersOfMatch(match: RegExpExecArray | RegExpMatchArray): Located[] {
  const written = match[0];
  const start = match.index ?? 0;
  const value = numberValue(written);
  if (value !== undefined) return [{ written, value, start }];
  return [...written.matchAll(/\d+(?:\.\d+)?/g)].map((part) => ({
    written: part[0],
    value: part[0],
    start: start + part.index,
  }));
}

/** In India groups but the last one have two digits. */
const GROUPED_BY_COMMA = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[1-9]\d?(?:,\d\d)+,\d{3}(?:\.\d+)?$/;
const GROUPED_BY_POINT = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const DECIMAL = /^\d+(?:[.,]\d+)?$/;
const DECIMAL_COMMA_OF_A_LIST = /,\d{4,}$/;

/**
 * Three digits after a single comma are a group (`1,234`), one or two are decimals (`12,50`). A single point is a
 * decimal point, because JSON numbers use it; but see `valueAt`.
 */
function numberValue(written: string): string | undefined {
  const digits = written.replace(/[ \u00a0\u202f'’]/g, '');
  if (GROUPED_BY_COMMA.test(digits)) return digits.replaceAll(',', '');
  if (GROUPED_BY_POINT.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  if (DECIMAL.test(digits) && !DECIMAL_COMMA_OF_A_LIST.test(digits)) return digits.replace(',', '.');
  return undefined;
}

/** The text before the first number, between numbers, and after the last. */
function textBetween(entry: string, numbers: readonly Located[]): string[] {
  const gaps: string[] = [];
  let position = 0;
  for (const { start, written } of numbers) {
    gaps.push(entry.slice(position, start));
    position = start + written.length;
  }
  gaps.push(entry.slice(position));
  return gaps;
}

const RANGE_SIGN = String.raw`[-–—−/~〜]|から|[至到]|(?<!\p{L})(?:to|bis|à|al?|tot|até|do|до|ila|till?|تا|إلى|الى)(?!\p{L})`;
const RANGE = new RegExp(`^\\s*(?:${RANGE_SIGN})\\s*$`, 'u');
const SEPARATOR = new RegExp(
  `\\s*(?:[,;|+]|(?<!\\p{L})(?:or|and|oder|und|ou|et|o|y|e|of|en|или|och|og)(?!\\p{L})|${RANGE_SIGN})\\s*`,
  'u',
);
/** What begins a range. */
const BETWEEN = /^(?:from|between|von|zwischen|ab|de|entre|da|tra|fra|från|van|tussen|od|от|از|من)(?:\s+|$)/i;

/** Undefined if anything but currency marks and separators surrounds the numbers. */
function markedPrice(numbers: readonly Located[], gaps: readonly string[]): Price | undefined {
  const begin = (gaps[0] ?? '').trim();
  const first = numbers.length === 2 ? begin.replace(BETWEEN, '') : begin;
  const last = (gaps[numbers.length] ?? '').trim();
  const sides = gaps.slice(1, -1).map((gap) => gap.split(SEPARATOR).map((side) => side.trim()));
  if (sides.some((parts) => parts.length !== 2)) return undefined;
  const before = [first, ...sides.map((parts) => parts[1] ?? '')];
  const after = [...sides.map((parts) => parts[0] ?? ''), last];
  if (![...before, ...after].every(isCurrencyMark)) return undefined;
  const isPrefixed = before.some((mark) => mark !== '');
  if (isPrefixed && after.some((mark) => mark !== '')) return undefined;
  const position = isPrefixed ? 'prefix' : 'postfix';
  return { kind: 'price', amounts: withMarks(numbers, isPrefixed ? before : after, position) };
}

/** In a range one mark applies to all: `€10-20`, `10 - 20 zł`. */
function withMarks(numbers: readonly Located[], marks: readonly string[], position: 'prefix' | 'postfix'): Amount[] {
  const shared = position === 'prefix' ? (marks[0] ?? '') : (marks.at(-1) ?? '');
  return numbers.map((number, index) => {
    const symbol = marks[index] || shared;
    return {
      written: number.written,
      value: valueAt(number, symbol),
      symbol,
      position: symbol === '' ? '' : position,
    };
  });
}

/** Currencies whose amounts are written with three decimals. */
const IN_THOUSANDTHS = /^(?:BHD|IQD|JOD|KWD|LYD|OMR|TND)$/i;
const POINT_AND_THREE_DIGITS = /^[1-9]\d{0,2}\.\d{3}$/;

/** After a currency mark, three digits behind a point are a group: `isk10.000` is ten thousand. */
const valueAt = ({ written, value }: Located, symbol: string): string =>
  symbol !== '' && !IN_THOUSANDTHS.test(symbol) && POINT_AND_THREE_DIGITS.test(written)
    ? written.replace('.', '')
    : value;

const SIGN = /^[A-Za-z]{0,3}\.?\p{Sc}[A-Za-z]{0,3}$/u;
const CODE = /^\p{Lu}{1,4}$/u;
/** Codes that are not also words may be in lower case. */
const SMALL_CODE =
  /^(?:aed|ars|aud|bgn|bhd|brl|cad|chf|clp|cny|czk|dkk|egp|eur|gbp|hkd|huf|idr|ils|inr|isk|jod|jpy|krw|kwd|mxn|myr|nok|nzd|omr|php|pln|rub|sar|sek|sgd|thb|tnd|twd|uah|usd|vnd|zar)$/i;
const NAME =
  /^(?:zł|zl|kč|kr|kr\.|ft|lei|leu|лв|лв\.|грн|грн\.|руб|руб\.|р\.|din|rs|rs\.|fr|fr\.|元|円|원|rp\.?|euros?|dollars?|pounds?|francs?|cents?)$/iu;

function isCurrencyMark(text: string): boolean {
  return text === '' || SIGN.test(text) || CODE.test(text) || SMALL_CODE.test(text) || NAME.test(text);
}
