// How current answers from the read model are: the log position that they show, and how many events they lack.
import type { Position } from '../../log/envelope.ts';
import { positionIn } from '../../read-model/read-model.ts';
import { type HeaderLines, type HeaderSet, linesOf } from './headers.ts';

export interface ShownPosition {
  readonly headers: HeaderSet;
  readonly lines: HeaderLines;
}

/**
 * `behind`: how many events an answer lacks that shows the log up to a position. The returned function takes a version
 * of the read model.
 */
export function openShownPosition(behind: (shown: Position) => number): (version: string) => ShownPosition {
  let last: { readonly version: string; readonly missing: number; readonly shown: ShownPosition } | null = null;
  return (version) => {
    const position = positionIn(version);
    const missing = behind(position);
    if (last?.version === version && last.missing === missing) return last.shown;
    const headers = {
      'X-Daybook-Position': position,
      'X-Daybook-Lag': String(missing),
      ...(missing > 0 && { 'X-Daybook-Views': 'lagging' }),
    };
    const shown = { headers, lines: linesOf(headers) };
    last = { version, missing, shown };
    return shown;
  };
}
