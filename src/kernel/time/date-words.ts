// The English words of the date grammar, all in lower case. The exported strings are alternations for patterns.
// COMPAT: the words that PHP's `strtotime` knows, for clients of the REST API v1 of The Events Calendar.

const MONTH_NAMES = [
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['may'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
];

const WEEKDAY_NAMES = [
  ['sunday', 'sun'],
  ['monday', 'mon'],
  ['tuesday', 'tues', 'tue'],
  ['wednesday', 'wed'],
  ['thursday', 'thurs', 'thur', 'thu'],
  ['friday', 'fri'],
  ['saturday', 'sat'],
];

const ORDINAL_VALUES = new Map([
  ['last', -1],
  ['previous', -1],
  ['this', 0],
  ['next', 1],
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['seventh', 7],
  ['eighth', 8],
  ['ninth', 9],
  ['tenth', 10],
  ['eleventh', 11],
  ['twelfth', 12],
]);

/** What one unit adds, and to which amount of a draft. */
interface UnitEffect {
  readonly field: 'years' | 'months' | 'days' | 'seconds';
  readonly size: number;
}

const UNIT_LIST: readonly (readonly [names: readonly string[], effect: UnitEffect])[] = [
  [['seconds', 'second', 'secs', 'sec'], { field: 'seconds', size: 1 }],
  [['minutes', 'minute', 'mins', 'min'], { field: 'seconds', size: 60 }],
  [['hours', 'hour'], { field: 'seconds', size: 3600 }],
  [['days', 'day'], { field: 'days', size: 1 }],
  [['weeks', 'week'], { field: 'days', size: 7 }],
  [['fortnights', 'fortnight'], { field: 'days', size: 14 }],
  [['months', 'month'], { field: 'months', size: 1 }],
  [['years', 'year'], { field: 'years', size: 1 }],
];

const monthsByName = indexNames(MONTH_NAMES);
const weekdaysByName = indexNames(WEEKDAY_NAMES);

export const UNIT_EFFECTS: ReadonlyMap<string, UnitEffect> = new Map(
  UNIT_LIST.flatMap(([names, effect]) => names.map((name) => [name, effect] as const)),
);
export const MONTHS = MONTH_NAMES.flat().join('|');
export const WEEKDAYS = WEEKDAY_NAMES.flat().join('|');
export const ORDINALS = [...ORDINAL_VALUES.keys()].join('|');
/** Units of time and weekday names: everything that an amount can count. */
export const UNITS = `${[...UNIT_EFFECTS.keys()].join('|')}|${WEEKDAYS}`;

/** 1..12; 0 for an unknown name. */
export function resolveMonth(name: string | undefined): number {
  return (monthsByName.get(name ?? '') ?? -1) + 1;
}

/** 0 (Sunday) to 6. */
export function resolveWeekday(name: string | undefined): number {
  return weekdaysByName.get(name ?? '') ?? 0;
}

/** The amount that a word such as `next` or `third` means; -1 is the last or previous one, 0 this one. */
export function resolveOrdinal(word: string | undefined): number {
  return ORDINAL_VALUES.get(word ?? '') ?? 0;
}

function indexNames(groups: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap((names, index) => names.map((name) => [name, index] as const)));
}
