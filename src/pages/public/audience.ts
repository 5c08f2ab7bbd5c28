// What values of events are called: days of the week, ages, languages.
import { readAges } from '../../calendar/event/domain/audience.ts';
import { type LabelParameter, WEEKDAYS } from '../../calendar/event/domain/event-labels.ts';
import { askedOnce } from '../../kernel/event-loop/shared-work.ts';
import { addDays, dateText } from '../dates.ts';
import type { Words } from '../words.ts';
import type { Surroundings } from './layout.ts';

type Worded = Pick<Surroundings, 'words' | 'language'>;

/** `6-12`, in words. */
function agesInWords(words: Words, ages: string): string {
  const { from, to } = readAges(ages) ?? { from: null, to: null };
  if (from !== null && to !== null) return words('ages_between', { from, to });
  if (from !== null) return words('ages_from', { from });
  return to === null ? '' : words('ages_to', { to });
}

/** A code of a language by its name. */
const languageInWords = ({ language }: Worded, code: string): string => namesIn(language.code).of(code) ?? code;

/** Making one takes longer than a page. */
const namesIn = askedOnce((language: string) => new Intl.DisplayNames(language, { type: 'language' }));

/** Days of the week are counted from one. */
const SUNDAY = '2026-01-04';

const VALUES: { readonly [Wire in LabelParameter]: (worded: Worded, value: string) => string } = {
  ages: ({ words }, ages) => agesInWords(words, ages),
  languages: languageInWords,
  weekdays: ({ language }, day) => dateText(language.code, 'weekday', addDays(SUNDAY, WEEKDAYS.indexOf(day))),
};

/** A value of a filter, as its chip is called. */
export const valueInWords = (worded: Worded, wire: LabelParameter, value: string): string =>
  VALUES[wire](worded, value) || value;
