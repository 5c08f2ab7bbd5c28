// What happened to a series, as sentences: in its history, and in the feed of changes.

import { instantText } from '../../../kernel/time/instant.ts';
import type { Language } from '../../../locales/language.ts';
import { recurrenceWords } from '../../../locales/recurrence/recurrence-words.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import type { Series, SeriesFact } from '../../series/domain/facts.ts';
import { afterFact } from '../../series/domain/occurrences.ts';
import { SERIES_PREFIX } from '../../series/facts/occurrences.ts';
import { sentenceForUnknown } from './describe-change.ts';

/** A step in the history of a series. */
interface SeriesStepInWords {
  readonly event: RecordedEvent;
  readonly summary: string;
}

/** First to last. Rejections: those of the store. */
export async function seriesHistory(
  store: StreamReader,
  language: Language,
  id: number,
): Promise<readonly SeriesStepInWords[]> {
  let series: Series | null = null;
  const steps: SeriesStepInWords[] = [];
  for (const event of await store.readStream(`${SERIES_PREFIX}${id}`)) {
    series = afterFact(series, factOf(event), instantOf(event)).series;
    steps.push({ event, summary: sentenceOf(language, event, series) });
  }
  return steps;
}

function sentenceOf(language: Language, event: RecordedEvent, series: Series): string {
  const { sentences } = language;
  const fact = factOf<SeriesFact>(event);
  const sentence: string | undefined = sentences.series[fact.type];
  if (sentence === undefined) return sentenceForUnknown(sentences, event.type);
  const values = valuesOf(fact, series);
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'rule' ? recurrenceWords(series)(language) : (values[name] ?? ''),
  );
}

/** What sentences name besides the rule: dates as wall clocks to the minute. */
function valuesOf({ data }: SeriesFact, series: Series): { readonly [name: string]: string } {
  const date = 'date' in data ? data.date : 'from' in data ? data.from : series.start;
  return {
    date: date.slice(0, 'YYYY-MM-DD HH:MM'.length),
    time: series.start.slice('YYYY-MM-DD '.length, 'YYYY-MM-DD HH:MM'.length),
    until: instantText(series.horizon).slice(0, 'YYYY-MM-DD'.length),
    title: series.template.title,
    ...('of' in data && { of: String(data.of) }),
    ...('toRevision' in data && { revision: String(data.toRevision) }),
    ...('into' in data && { into: String(data.into) }),
    ...('rules' in data && typeof data.rules === 'string' && { zone_rules: data.rules }),
  };
}
