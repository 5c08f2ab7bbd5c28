// From displayed text back to what an editor had typed. A guess that would be displayed differently is discarded.
import { type CostInput, costFrom, costText, costValues } from '../../calendar/event/domain/cost.ts';
import type { CostDisplay } from '../../calendar/event/domain/currency.ts';
import { decodeEntities } from '../../kernel/text/plain-text.ts';
import { displayTitle } from '../../kernel/text/typography.ts';

const TYPED: { readonly [code: string]: string } = {
  '038': '&',
  '215': 'x',
  '8212': '---',
  '8216': "'",
  '8217': "'",
  '8220': '"',
  '8221': '"',
  '8230': '...',
  '8242': "'",
  '8243': '"',
  '8482': '(tm)',
};
const ENTITY = /&#(\d+);/g;

/** A title as typed; one that would be displayed differently keeps its entities. */
export function typedTitle(displayed: string): string {
  if (!displayed.includes('&#')) return displayed;
  const source = displayed.replace(ENTITY, (entity: string, code: string, at: number) => {
    if (code !== '8211') return TYPED[code] ?? entity;
    const around = `${displayed.charAt(at - 1)}${displayed.charAt(at + entity.length)}`;
    return /\S/.test(around) ? '--' : '-';
  });
  return displayTitle(source) === displayed ? source : displayed;
}

/** An address that was escaped for HTML. */
export const typedAddress = (displayed: string): string =>
  displayed.replace(/&(?:amp|#0?38|#0?39|quot);/gi, decodeEntities).trim();

/** The displayed cost: as text, and in parts. */
interface DisplayedCost {
  readonly text: string;
  readonly values: readonly string[];
  readonly symbol: string;
  readonly position: string;
}

/** The cost that is displayed in this way; null for none. If no interpretation matches completely, the text itself. */
export function typedCost(cost: DisplayedCost, display: CostDisplay): CostInput | null {
  const text = decodeEntities(cost.text).trim();
  if (text === '') return null;
  const amounts = cost.values.map((value) => withMark(value, cost));
  const candidates: CostInput[] = [text, amounts, cost.values];
  return candidates.find((candidate) => isShownAs(candidate, { ...cost, text }, display)) ?? text;
}

function withMark(value: string, { symbol, position }: DisplayedCost): string {
  if (!/^\d/.test(value)) return value;
  return position === 'postfix' ? value + symbol : symbol + value;
}

function isShownAs(candidate: CostInput, cost: DisplayedCost, display: CostDisplay): boolean {
  const reading = costFrom(candidate);
  if (reading === null || reading.symbol !== cost.symbol) return false;
  const hasSameValues = JSON.stringify(costValues(reading)) === JSON.stringify(cost.values);
  return hasSameValues && costText(reading, display) === cost.text;
}
