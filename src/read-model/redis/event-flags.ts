// What events are filtered by that is yes or no, or one of a few: bits in the member of an event, and sets of those that have it.
import type { FilterFlag } from '../../domain/calendar-event.ts';
import type { EventStatus } from '../../domain/event-status.ts';
import { EVENT_FLAGS, type EventDocument } from '../documents.ts';
import type { EventQuery } from '../queries.ts';

/** For each filterable flag, its bit in a member and the set of events that have it. */
const FILTERS: { readonly [Flag in FilterFlag]: { readonly bit: number; readonly set: string } } = {
  featured: { bit: 1, set: 'f' },
  ticketed: { bit: 2, set: 'k' },
};
/** The same for what became of events that do not take place as scheduled. */
const STATUS_BITS = {
  scheduled: { bit: 0 },
  canceled: { bit: 32, set: 'y' },
  postponed: { bit: 64, set: 'z' },
} as const satisfies { readonly [Status in EventStatus]: object };

const ONLINE = { bit: 128, set: 'i' };
const FREE = { bit: 16, set: 'g' };

/** The filter by event status of a query, in the format of the scripts. */
export const statusFilter = ({ eventStatuses }: EventQuery) => eventStatuses?.map((status) => STATUS_BITS[status]);

const PROTECTED = 4;
const HIDDEN = 8;

/** The byte of an event's member. */
export const flagsOf = (event: EventDocument): number =>
  (event.protected ? PROTECTED : 0) +
  (event.hidden ? HIDDEN : 0) +
  STATUS_BITS[event.eventStatus ?? 'scheduled'].bit +
  (event.isVirtual ? ONLINE.bit : 0) +
  (event.isFree ? FREE.bit : 0) +
  EVENT_FLAGS.reduce((bits, flag) => bits + (event[flag] ? FILTERS[flag].bit : 0), 0);

/** The flag filters of a query, in the format of the scripts. */
export const flagFilters = (query: EventQuery): readonly object[] => [
  ...EVENT_FLAGS.flatMap((flag) => (query[flag] === undefined ? [] : [{ ...FILTERS[flag], wanted: query[flag] }])),
  ...(query.isVirtual === undefined ? [] : [{ ...ONLINE, wanted: query.isVirtual }]),
  ...(query.isFree === undefined ? [] : [{ ...FREE, wanted: query.isFree }]),
];

/** The sets that an event is in for them. */
export const flagSetsOf = (event: EventDocument): readonly string[] => [
  ...EVENT_FLAGS.flatMap((flag) => (event[flag] ? [FILTERS[flag].set] : [])),
  ...(event.eventStatus ? [STATUS_BITS[event.eventStatus].set] : []),
  ...(event.isVirtual ? [ONLINE.set] : []),
  ...(event.isFree ? [FREE.set] : []),
];
