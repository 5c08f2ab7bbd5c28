// Currencies: what their marks mean, and how a site shows an amount that was written without one.
// decision 30

/** Codes of ISO 4217. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const isCurrency = (code: string): boolean => CODES.has(code);

/** Signs and words that people write, each under the currency that it usually means. */
const MARKS: { readonly [code: string]: string } = {
  USD: '$ us$ dollar dollars',
  EUR: '€ euro euros',
  GBP: '£ pound pounds',
  CHF: 'fr sfr franc francs franken',
  JPY: '¥ 円 yen',
  CAD: 'ca$ c$ can$',
  AUD: 'a$ au$',
  NZD: 'nz$',
  HKD: 'hk$',
  SGD: 's$',
  TWD: 'nt$',
  BRL: 'r$ reais',
  MXN: 'mx$',
  CNY: 'cn¥ 元',
  KRW: '₩ 원',
  INR: '₹ rs',
  SEK: 'kr',
  PLN: 'zł zl złotych',
  CZK: 'kč',
  HUF: 'ft',
  RON: 'lei leu',
  BGN: 'лв',
  RSD: 'din',
  UAH: '₴ грн',
  RUB: '₽ руб р',
  TRY: '₺ tl',
  ILS: '₪',
  VND: '₫',
  THB: '฿',
  PHP: '₱',
  NGN: '₦',
  KZT: '₸',
  GEL: '₾',
  AMD: '֏',
  AZN: '₼',
  CRC: '₡',
  PYG: '₲',
  GHS: '₵',
  LAK: '₭',
  MNT: '₮',
  ZAR: 'r',
  MYR: 'rm',
  IDR: 'rp',
};

const BY_MARK: ReadonlyMap<string, string> = new Map(
  Object.entries(MARKS).flatMap(([code, marks]) => marks.split(' ').map((mark) => [mark, code] as const)),
);

const comparable = (mark: string): string => mark.normalize('NFKC').toLowerCase().replace(/\.$/, '');

/** The mark of a currency in its own country: `$` for CAD. */
const ownMark = (currency: string): string => signAround(currency, 'en').sign;

/**
 * The code that a mark means; null for one that is not known. Of a sign that several currencies share, such as `$` or
 * `kr`, that of the site counts. An amount without a mark (`''`) is in the currency of the site, or in dollars if none
 * was chosen: they are shown so.
 */
export function currencyOf(mark: string, siteCurrency: string | null): string | null {
  if (mark === '') return siteCurrency ?? 'USD';
  if (siteCurrency !== null && comparable(ownMark(siteCurrency)) === comparable(mark)) return siteCurrency;
  const code = mark.toUpperCase();
  return CODES.has(code) ? code : (BY_MARK.get(comparable(mark)) ?? null);
}

/** How to show amounts that have no currency mark of their own. */
export type CostDisplay = {
  /** A sign with what keeps it apart from the amount: it stands before or after, and the other one is empty. */
  readonly signBefore: string;
  readonly signAfter: string;
  /** The text for zero, for example `Free`. */
  readonly freeLabel: string;
  /** The code of the language in which it is. */
  readonly language?: string | undefined;
};

/** How a site shows costs. */
export interface SitePrices extends CostDisplay {
  /** Null: none was chosen. */
  readonly currency: string | null;
}

export function sitePrices(
  language: { readonly code: string; readonly free: string },
  currency: string | null,
): SitePrices {
  const { sign, isBefore } = currency === null ? { sign: '$', isBefore: true } : signAround(currency, language.code);
  // A blank keeps letters apart from the amount.
  const blank = /\p{L}$/u.test(sign) ? '\u00a0' : '';
  return {
    currency,
    freeLabel: language.free,
    language: language.code,
    signBefore: isBefore ? sign + blank : '',
    signAfter: isBefore ? '' : blank + sign,
  };
}

function signAround(currency: string, language: string): { readonly sign: string; readonly isBefore: boolean } {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const parts = format.formatToParts(1);
  const at = parts.findIndex(({ type }) => type === 'currency');
  return { sign: parts[at]?.value ?? currency, isBefore: at < parts.findIndex(({ type }) => type === 'integer') };
}
