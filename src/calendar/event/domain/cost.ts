// The cost of an event.
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import type { CostDisplay } from './currency.ts';
import { type Amount, type Price, priceIn } from './price.ts';

/** What an event costs, as stored: the entries as written, and the currency mark that they share. */
export type StoredCost = {
  readonly entries: readonly string[];
  /** `$`, `USD`; empty if the entries have none or several. */
  readonly symbol: string;
  readonly position: '' | 'prefix' | 'postfix';
};

type CostPart = string | number | boolean;

/** What a client may send; a JSON `true` counts as 1, `false` as nothing. */
export type CostInput = CostPart | readonly CostPart[];

/** Reads a cost. Null for empty input: nothing is stored. Zero is a cost (free of charge). */
export function costFrom(input: CostInput): StoredCost | null {
  const parts = typeof input === 'object' ? input : [input];
  const lines = parts.map(lineOf).filter(Boolean);
  const entries = typeof input === 'string' ? lines.flatMap(enumerated) : lines;
  if (entries.length === 0) return null;
  return { entries, ...sharedMark(entries.map(priceIn)) };
}

/**
 * The values of a cost, each once: texts without a number as slugs, then the numbers in ascending order, with a decimal
 * point and without grouping.
 */
export function costValues(cost: StoredCost | null): string[] {
  if (cost === null) return [];
  const prices = cost.entries.map(priceIn);
  const texts = cost.entries.filter((_, index) => prices[index]?.kind === 'text').map(slugFrom);
  const numbers = prices.flatMap((price) => price.amounts.map(({ value }) => value));
  return [...new Set([...texts.filter(Boolean), ...numbers.sort(byNumber)])];
}

/**
 * The cost as people read it: `$10 – $20` (lowest and highest), `Free` for zero, `''` for none. A text without numbers,
 * or a sentence with numbers in it, is shown as it was written.
 */
export function costText(cost: StoredCost | null, display: CostDisplay): string {
  if (cost === null) return '';
  const prices = cost.entries.map(priceIn);
  const amounts = prices.flatMap((price) => price.amounts);
  const [first] = amounts;
  if (first === undefined || prices.some((price) => price.kind === 'remark')) return cost.entries.join(', ');
  const lowest = amountText(
    amounts.reduce((a, b) => (byNumber(b.value, a.value) < 0 ? b : a), first),
    cost,
    display,
  );
  const highest = amountText(
    amounts.reduce((a, b) => (byNumber(b.value, a.value) > 0 ? b : a), first),
    cost,
    display,
  );
  return lowest === highest ? lowest : `${lowest} – ${highest}`;
}

/** The lowest and the highest amount under one currency mark; `''`: under none. Null where it is not said. */
export interface PriceRange {
  readonly mark: string;
  readonly lowest: number | null;
  readonly highest: number | null;
}

/**
 * What a cost says as numbers, for each mark. Of a sentence only amounts with a mark beside them count, and a text counts
 * only if it says that there is nothing to pay.
 */
export function priceRanges(cost: StoredCost | null): readonly PriceRange[] {
  const amounts = (cost?.entries ?? []).flatMap((entry) => pricesOf(entry, cost?.symbol ?? ''));
  const marks = new Set(amounts.filter(({ value }) => value > 0).map(({ mark }) => mark));
  const [onlyMark] = marks;
  const ranges = new Map<string, PriceOfMark[]>();
  for (const price of amounts) {
    // Nothing to pay is the lowest of what else there is to pay.
    const shared = price.value === 0 && price.mark === '' && marks.size === 1 ? (onlyMark ?? '') : price.mark;
    ranges.set(shared, [...(ranges.get(shared) ?? []), price]);
  }
  const besides = (cost?.entries ?? []).map(freeBeside);
  return [...ranges].map(([mark, prices]) => {
    const values = prices.map(({ value }) => value);
    const [lowest, highest] = [Math.min(...values), Math.max(...values)];
    const isBound = (at: number, end: Price['bound']) =>
      prices.some(({ value, bound }) => value === at && bound === end);
    const isUnsaid = besides.includes('something') || isBound(lowest, 'highest');
    return {
      mark,
      lowest: besides.includes('people') ? 0 : isUnsaid ? null : lowest,
      highest: isBound(highest, 'lowest') ? null : highest,
    };
  });
}

interface PriceOfMark {
  readonly mark: string;
  readonly value: number;
  readonly bound: Price['bound'];
}

/** What is given is no price. */
const DONATION =
  /(?<!\p{L})(?:donat|donaci|doaç|kollekte|collecte|dobrowoln|spende|donativ|donazion|offerta libera|prix (?:libre|conscient)|pay[ -](?:what|as)|pwy[cw]|suggest|zahl\p{L}* was|pag\p{L}+ (?:lo que|quanto)|betaal wat|vrije (?:gift|bijdrage)|co łaska)|寄付|投げ銭/iu;

function pricesOf(entry: string, sharedMark: string): readonly PriceOfMark[] {
  const { kind, amounts, bound } = priceIn(entry);
  if (kind === 'text') return isFreeEntry(entry) ? [{ mark: '', value: 0, bound }] : [];
  if (DONATION.test(entry)) return isFreeEntry(entry) ? [{ mark: '', value: 0, bound }] : [];
  const marked = kind === 'remark' && bound === undefined ? amounts.filter(({ symbol }) => symbol !== '') : amounts;
  return marked.map(({ symbol, value }) => ({ mark: symbol || sharedMark, value: Number(value), bound }));
}

const FREE_WORDS =
  'free frei freier kostenlos kostenfrei umsonst gratis gratuit gratuite gratuits gratuito gratuita gratuiti grátis bezpłatny bezpłatnie zdarma ilmainen ingyenes ücretsiz 無料';
const isFreeWord = (word: string): boolean => FREE_WORDS.split(' ').includes(word);

/** People who are said to pay nothing: `under 6`, `U18`, `children`. */
const PEOPLE =
  /(?<!\p{L})(?:(?:under|unter|until|bis|u|moins de|menores de|sotto i|onder) ?\d|child|kid|student|pupil|member|senior|companion|kinder|jugend|schüler|studier|mitglied|begleit|enfant|étudiant|membre|adhérent|niñ|menor|estudiant|soci[oa]s|bambin|ragazz|socie?|leden|criança|dzieci|děti|barn|çocuk)|子供|子ども|小学生|会員/iu;

const CLAUSES = /[,;()|/]|\s[–—-]\s/;

/** Whether a cost with a price says that beside it something is free: to some people, or it is not known what. */
function freeBeside(entry: string): 'people' | 'something' | 'nothing' {
  const clauses = isFreeEntry(entry) ? [] : entry.toLowerCase().split(CLAUSES);
  const free = clauses.filter((clause) => clause.split(/[\s:-]+/).some(isFreeWord));
  if (free.length === 0) return 'nothing';
  return free.some((clause) => PEOPLE.test(clause)) ? 'people' : 'something';
}

/** Whether a cost says that there is nothing to pay. An event without a cost says nothing about it. */
export const isFree = (cost: StoredCost | null): boolean => cost?.entries.every(isFreeEntry) ?? false;

function isFreeEntry(entry: string): boolean {
  const { kind, amounts } = priceIn(entry);
  if (kind === 'text') return FREE_OF_CHARGE.has(slugFrom(entry));
  if (amounts.every(({ value }) => Number(value) === 0)) return true;
  // What is given beside that is no price: `free (suggested donation $5)`.
  return DONATION.test(entry) && entry.split(CLAUSES).some((clause) => FREE_OF_CHARGE.has(slugFrom(clause)));
}

/** What people write for zero, in the languages of pages and Polish: `Free`, `Der Eintritt ist frei`, `Entrée libre`. */
const FREE_OF_CHARGE: ReadonlySet<string> = new Set(freeEntries().map(slugFrom));

function freeEntries(): readonly string[] {
  const entries =
    'entry admission entrance event eintritt zutritt entrée entrada ingresso entrata accès acceso accesso toegang inkom wstęp';
  // Alone these say that something else is free.
  const beside = 'libre libero livre franca vrij vrije wolny';
  const alone = [
    ...FREE_WORDS.split(' '),
    'free of charge',
    'no charge',
    'der eintritt ist frei',
    'za darmo',
    '入場無料',
  ];
  const both = `${FREE_WORDS} ${beside}`.split(' ');
  return [
    ...alone,
    ...entries.split(' ').flatMap((entry) => both.flatMap((word) => [`${entry} ${word}`, `${word} ${entry}`])),
  ];
}

function lineOf(part: CostPart): string {
  if (typeof part === 'boolean') return part ? '1' : '';
  return typeof part === 'number' ? String(part) : oneLine(part);
}

const LIST_SIGN = /[,;]\s+/;

/** `$5, $10` is two prices; `Adults $10, children $5` is one remark and stays whole. */
function enumerated(line: string): string[] {
  if (!LIST_SIGN.test(line)) return [line];
  const parts = line
    .split(LIST_SIGN)
    .map((part) => part.trim())
    .filter(Boolean);
  const kinds = parts.map((part) => priceIn(part).kind);
  return kinds.includes('price') && !kinds.includes('remark') ? parts : [line];
}

function sharedMark(prices: readonly Price[]): Pick<StoredCost, 'symbol' | 'position'> {
  const amounts = prices.filter((price) => price.kind === 'price').flatMap((price) => price.amounts);
  const symbol = sharedBy(amounts.map((amount) => amount.symbol)) ?? '';
  const position = symbol === '' ? '' : (sharedBy(amounts.map((amount) => amount.position)) ?? '');
  return { symbol, position };
}

function sharedBy<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b);
}

/** Mixed currencies keep the mark that each amount was written with. */
function amountText(amount: Amount, cost: StoredCost, display: CostDisplay): string {
  if (Number(amount.value) === 0) return display.freeLabel;
  const symbol = amount.symbol || cost.symbol;
  if (symbol === '') return display.signBefore + amount.written + display.signAfter;
  return (amount.position || cost.position) === 'postfix' ? amount.written + symbol : symbol + amount.written;
}
