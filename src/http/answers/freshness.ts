// How current answers from the read model are: the log position that they show, and how many events they lack.
import type { Position } from '../../log/envelope.ts';
import { positionIn } from '../../read-model/read-model.ts';
import { type HeaderLines, type HeaderSet, linesOf } from './headers.ts';

export interface Freshness {
  readonly headers: HeaderSet;
  readonly lines: HeaderLines;
}

/**
 * `behind`: how many events an answer lacks that shows the log up to a position. The returned function takes a version
 * of the read model.
 */
export function openFreshness(behind: (position: Position) => number): (version: string) => Freshness {
  let last: { readonly version: string; readonly missing: number; readonly freshness: Freshness } | null = null;
  return (version) => {
    const position = positionIn(version);
    const missing = behind(position);
    if (last?.version === version && last.missing === missing) return last.freshness;
    const headers = {
      'X-Daybook-Position': position,
      'X-Daybook-Lag': String(missing),
      ...(missing > 0 && { 'X-Daybook-Views': 'lagging' }),
    };
    const freshness = { headers, lines: linesOf(headers) };
    last = { version, missing, freshness };
    return freshness;
  };
}
