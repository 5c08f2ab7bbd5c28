// Numbers and currency marks in the text of a cost. COMPAT: reads costs like the REST API v1 of The Events Calendar.
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
  /** Of `from $5`: its one amount is the lowest of what there is to pay. */
  readonly isLowest?: true;
};

const PLAIN_NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;
const NUMBER = /\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*/g;

const FROM =
  /^(?:from|starting (?:at|from)|at least|min\.?|ab|mindestens|à partir de|dès|desde|a partir d[ei]|da|vanaf|od)\s|\d\s?(?:\p{Sc}|[A-Z]{3})?\s?\+$/iu;

/** Reads one entry: a line of plain text. */
export function priceIn(written: string): Price {
  if (PLAIN_NUMBER.test(written)) return { kind: 'price', amounts: [bareAmount(written, written)] };
  const entry = withUsualDigits(written);
  const price = priceOf(entry);
  return price.amounts.length === 1 && FROM.test(entry) ? { ...price, isLowest: true } : price;
}

/** Full-width digits, and `12€50`. */
const withUsualDigits = (entry: string): string =>
  entry
    .replace(/[\uff01-\uff5e]/g, (sign) => sign.normalize('NFKC'))
    .replace(/(\d)\s?€(\d\d)(?![\d.,])/g, '$1,$2\u00a0€');

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
const MARK_BEFORE = /(?:^|[\s(/])(?:([A-Z]{3})\s?\p{Sc}?|([A-Za-z]{0,3}\p{Sc}|Fr\.|Rp))\s?$/u;
const MARK_BEHIND =
  /^(?:[.,:][-–—]{1,2})?\s?(?:\p{Sc}?\s?([A-Z]{3})|(\p{Sc}[A-Za-z]{0,3}|[Ee]uros?|Franken|francs?|zł|złotych|kr|yen|reais))(?![\p{L}\p{N}])/u;

function remark(numbers: readonly Located[], gaps: readonly string[]): Price {
  const amounts = numbers.map(({ written, value, start }, index): Amount => {
    // A code says more than a sign, which several currencies share: `$20 AUD`.
    const [, codeBefore, before] = MARK_BEFORE.exec(gaps[index] ?? '') ?? [];
    const [, codeBehind, behind] = MARK_BEHIND.exec(gaps[index + 1] ?? '') ?? [];
    const marks = [codeBefore, codeBehind, before, behind];
    const symbol = marks.find((mark) => mark !== undefined && currencyOf(mark, null) !== null) ?? '';
    if (symbol === '') return bareAmount(written, value);
    return {
      written,
      value: valueAt({ written, value, start }, symbol),
      symbol,
      position: symbol === before || symbol === codeBefore ? 'prefix' : 'postfix',
    };
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

const SEPARATOR =
  /\s*(?:[-–—−,;/|+~〜]|(?<!\p{L})(?:to|or|and|bis|oder|und|à|ou|et|al?|o|y|e|tot|of|en|até|do)(?!\p{L}))\s*/u;
/** What begins a range. */
const BETWEEN = /^(?:from|between|von|zwischen|de|entre|da|tra|fra|van|tussen|od)(?:\s+|$)/i;

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
