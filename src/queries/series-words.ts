// How a series repeats, for the pages of its dates.
import { seriesOfState } from '../../projections/series.ts';
import type { Wording } from '../locales/phrases.ts';
import { recurrenceWords } from '../locales/recurrence/recurrence-words.ts';
import type { SingleSource } from './log-fallback.ts';

/** The rules of a published series in words; null for another one. */
export async function publicSeriesWords(source: Pick<SingleSource, 'fetch'>, id: number): Promise<Wording | null> {
  const [document] = await source.fetch([{ kind: 'series', id }]);
  if (document?.kind !== 'series' || document.seriesStatus !== 'publish') return null;
  return recurrenceWords(seriesOfState(document.state));
}
