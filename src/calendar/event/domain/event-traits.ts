// What lists can ask of every event, yes or no, beside its flags (`filter` in calendar-event.ts). A line here is a filter
// everywhere: document, row and index, parameters and their description, feeds, pages, assistants, and why an event is listed.
// Its words are in src/locales/filters.json.
// decision 9
import { parseCivil, SECONDS_PER_DAY, weekdayOf } from '../../../kernel/time/civil-time.ts';
import { type CalendarEvent, EVENT_FILTERS, type FilterFlag } from './calendar-event.ts';
import { isFree } from './cost.ts';
import { isOnline } from './online.ts';

/**
 * `wire`: the parameter of lists. `hidden` behind a password: protected events are found by it only by readers who may look
 * behind.
 */
const trait = <const Wire extends string>(
  wire: Wire,
  behindPassword: 'hidden' | 'shown',
  has: (event: CalendarEvent) => boolean,
) => ({ wire, behindPassword, has });

/** Imports kept `is_virtual` as it came before there was the field; a password hides such members. */
const isFoundOnline = (event: CalendarEvent): boolean =>
  isOnline(event) || (!event.online && event.passwordHash === null && event.extensions?.is_virtual === true);

/** Where it takes place, as everything about days and hours. */
const isOnWeekend = ({ schedule: { start } }: CalendarEvent): boolean =>
  [0, 6].includes(weekdayOf(Math.floor(parseCivil(start) / SECONDS_PER_DAY)));

const EVENING = '17:00:00';
/** Whole days begin at midnight. */
const isInEvening = ({ schedule: { start } }: CalendarEvent): boolean => start.slice(-EVENING.length) >= EVENING;

const TRAITS = {
  isVirtual: trait('is_virtual', 'shown', isFoundOnline),
  isFree: trait('is_free', 'hidden', ({ cost }) => isFree(cost)),
  onWeekend: trait('on_weekend', 'shown', isOnWeekend),
  inEvening: trait('in_evening', 'shown', isInEvening),
  isAccessible: trait('accessible', 'shown', ({ accessible }) => accessible),
  hasImage: trait('has_image', 'hidden', ({ image }) => image !== null),
};

type EventTrait = keyof typeof TRAITS;
export type TraitParameter = (typeof TRAITS)[EventTrait]['wire'];

export const EVENT_TRAITS = Object.entries(TRAITS).map(([member, row]) => ({
  member: member as EventTrait, // A key of the table.
  ...row,
}));
export const TRAIT_PARAMETERS: readonly TraitParameter[] = EVENT_TRAITS.map(({ wire }) => wire);

/** Something for each, by its parameter. */
export const byParameter = <Value>(make: (wire: TraitParameter) => Value) =>
  // Each of them.
  Object.fromEntries(TRAIT_PARAMETERS.map((wire) => [wire, make(wire)])) as {
    readonly [Wire in TraitParameter]: Value;
  };

/** Those that an event has; the others are absent. */
export type TraitsOf = { readonly [Member in EventTrait]?: true };

export const traitsOf = (event: CalendarEvent): TraitsOf =>
  Object.fromEntries(EVENT_TRAITS.filter(({ has }) => has(event)).map(({ member }) => [member, true]));

/** A flag or a trait: all yes-or-no filters over what events themselves say. */
export type ListedFlag = FilterFlag | EventTrait;

export const LISTED_FLAGS: readonly { readonly member: ListedFlag; readonly wire: string }[] = [
  ...EVENT_FILTERS,
  ...EVENT_TRAITS,
];
