// What lists can ask of every event by values, of which one is enough: days of the week, ages, languages. A row here is a filter
// everywhere, as a line of event-traits.ts is: document, row and index, parameters and their description, feeds, pages,
// assistants, and why an event is listed. Its words are in src/locales/filters.json.
// decision 9
import { parseCivil, SECONDS_PER_DAY, weekdayOf } from '../../../kernel/time/civil-time.ts';
import { readAges, readLanguages } from './audience.ts';
import type { CalendarEvent } from './calendar-event.ts';

/** From Sunday, as `weekdayOf` counts. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const AGES = ['0-5', '6-12', '13-17', '18-64', '65-'];
/** Counted for pages; lists can be asked for any other one. */
const LANGUAGES =
  'ar bg bn br bs ca cs cy da de el en es et eu fa fi fr ga gd gl he hi hr hu hy id is it ja ka ko ku lb lt lv mk mt nl no oc pl ps pt rm ro ru sk sl sq sr sv ta th ti tr uk ur vi yi zh';

/**
 * `values`: those that pages offer; `checked`: what an address may ask for. `hidden` behind a password: protected events are
 * found by it only by readers who may look behind.
 */
interface LabelRow {
  readonly behindPassword: 'hidden' | 'shown';
  readonly values: readonly string[];
  readonly checked: readonly ['someOf', readonly string[]] | 'someLanguages';
  readonly of: (event: CalendarEvent) => readonly string[];
}

const oneOf = (values: readonly string[], row: Pick<LabelRow, 'behindPassword' | 'of'>): LabelRow => ({
  ...row,
  values,
  checked: ['someOf', values],
});

/** By the day on which it begins, where it takes place. */
const weekdayOfStart = ({ schedule: { start } }: CalendarEvent): readonly string[] =>
  WEEKDAYS.slice(weekdayOf(Math.floor(parseCivil(start) / SECONDS_PER_DAY))).slice(0, 1);

/** Those of an event that says for which ages it is, of which some are among its own. */
function agesOf({ ageRange }: CalendarEvent): readonly string[] {
  const own = readAges(ageRange);
  // Most say nothing.
  return (own ? AGES : []).filter((group) => {
    const { from, to } = readAges(group) ?? {};
    return (own?.from ?? 0) <= (to ?? Infinity) && (from ?? 0) <= (own?.to ?? Infinity);
  });
}

/** A language in all of its countries, too: `de` of `de-AT`. */
const languagesOf = ({ languages }: CalendarEvent): readonly string[] => [
  ...new Set(readLanguages(languages)?.flatMap((code) => [code, code.replace(/-.*/, '')])),
];

const LABELS = {
  weekdays: oneOf(WEEKDAYS, { behindPassword: 'shown', of: weekdayOfStart }),
  ages: oneOf(AGES, { behindPassword: 'hidden', of: agesOf }),
  languages: {
    behindPassword: 'hidden',
    values: LANGUAGES.split(' '),
    checked: 'someLanguages',
    of: languagesOf,
  },
} as const satisfies { readonly [wire: string]: LabelRow };

/** Parameter of lists, and member of queries. */
export type LabelParameter = keyof typeof LABELS;
export const LABEL_PARAMETERS = Object.keys(LABELS) as readonly LabelParameter[]; // Keys of the table.

/** Something for each, by its parameter. */
export const byLabelParameter = <Value>(make: (wire: LabelParameter, row: LabelRow) => Value) =>
  // Each of them.
  Object.fromEntries(LABEL_PARAMETERS.map((wire) => [wire, make(wire, LABELS[wire])])) as {
    readonly [Wire in LabelParameter]: Value;
  };

/** Each filter with each of its values that are counted for pages. */
export const COUNTED_LABELS: readonly (readonly [wire: LabelParameter, value: string])[] = LABEL_PARAMETERS.flatMap(
  (wire) => LABELS[wire].values.map((value) => [wire, value] as const),
);

/** A value of a filter, in one text: `ages:6-12`. */
export type EventLabel = `${LabelParameter}:${string}`;
export const labelOf = (wire: LabelParameter, value: string): EventLabel => `${wire}:${value}`;

export const isHiddenLabel = (wire: LabelParameter): boolean => LABELS[wire].behindPassword === 'hidden';

/** All that an event has. */
export const labelsOf = (event: CalendarEvent): readonly EventLabel[] =>
  LABEL_PARAMETERS.flatMap((wire) => LABELS[wire].of(event).map((value) => labelOf(wire, value)));
