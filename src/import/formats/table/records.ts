// Entries of conference lists as plan. Such a list is about one topic, which is its file's name.
import type { EventInput } from '../../../commands/events.ts';
import type { VenueInput } from '../../../commands/linked-posts.ts';
import { isDay } from '../../dates.ts';
import { filledTextIn, type Given } from '../../fields.ts';
import {
  EMPTY_PLAN,
  type Origin,
  type Place,
  type PlannedEvent,
  type PlannedPost,
  type PlannedTerm,
  type Reading,
} from '../../import-plan.ts';
import { languageName, topicName } from '../../shown-names.ts';
import { conferenceDescription, plainAsHtml } from './text.ts';

const SOURCE = 'conference lists';

export interface ConferenceReading {
  readonly place: Place;
  /** Slug-like; `''` when the list has no name of its own. */
  readonly topic: string;
}

/** Compared without regard to case and to blanks around it. */
const folded = (text: string | undefined): string => (text ?? '').trim().toLowerCase();

const keyOf = (kind: string, ...parts: readonly (string | undefined)[]): string =>
  `import:conference:${kind}:${JSON.stringify(parts.map(folded))}`;

/** An entry is the same conference wherever name, start, city and country are the same. */
export function readConference(record: Given, { place, topic }: ConferenceReading): Reading {
  const name = filledTextIn(record, 'name');
  const unfit = name === undefined ? 'no name' : datesProblem(record);
  if (name === undefined || unfit !== null) {
    const fault = { kind: 'event', name: name ?? '(no name)', place, reason: unfit ?? 'no name' } as const;
    return { plan: EMPTY_PLAN, faults: [fault] };
  }
  const categories = topic === '' ? [] : [plannedTopic(topic, place)];
  const tags = tagsOf(record, place);
  const venues = venueOf(record, place);
  const event: PlannedEvent = {
    origin: originOf(conferenceKey(name, record), name, place),
    id: undefined,
    input: eventInput(name, record),
    categories: categories.map(({ origin }) => origin.key),
    tags: tags.map(({ origin }) => origin.key),
    venues: venues.map(({ origin }) => origin.key),
    organizers: undefined,
    merging: 'union',
    modified: '',
  };
  return { plan: { terms: [...categories, ...tags], venues, organizers: [], events: [event] }, faults: [] };
}

const originOf = (key: string, name: string, place: Place): Origin => ({ source: SOURCE, key, name, place });

function conferenceKey(name: string, record: Given): string {
  const { startDate, city, country } = {
    startDate: filledTextIn(record, 'startDate'),
    city: filledTextIn(record, 'city'),
    country: filledTextIn(record, 'country'),
  };
  return keyOf('event', name, startDate, city, country);
}

function datesProblem(record: Given): string | null {
  const start = filledTextIn(record, 'startDate');
  const end = filledTextIn(record, 'endDate') ?? start;
  if (start === undefined || end === undefined) return 'no startDate';
  if (!isDay(start)) return `startDate "${start}" is not a date (YYYY-MM-DD)`;
  if (!isDay(end)) return `endDate "${end}" is not a date (YYYY-MM-DD)`;
  return end < start ? `it ends (${end}) before it starts (${start})` : null;
}

function eventInput(name: string, record: Given): EventInput {
  const start = filledTextIn(record, 'startDate') ?? '';
  const website = filledTextIn(record, 'url');
  const description = conferenceDescription(record);
  return {
    title: plainAsHtml(name),
    ...(description === '' ? {} : { description }),
    times: { start, end: filledTextIn(record, 'endDate') ?? start, allDay: true },
    ...(website === undefined ? {} : { website }),
  };
}

const plannedTopic = (topic: string, place: Place): PlannedTerm =>
  derivedTerm('category', topic, topicName(topic), place);

function tagsOf(record: Given, place: Place): PlannedTerm[] {
  const online = record.online === true ? [derivedTerm('tag', 'online', 'Online', place)] : [];
  const codes = (filledTextIn(record, 'locales') ?? '').split(',').map(folded);
  const languages = [...new Set(codes)].filter((code) => code !== '');
  return [...online, ...languages.map((code) => derivedTerm('tag', code, languageName(code), place))];
}

const derivedTerm = (kind: PlannedTerm['kind'], slug: string, name: string, place: Place): PlannedTerm => ({
  kind,
  origin: originOf(keyOf(kind, slug), name, place),
  upkeep: 'leave',
  id: undefined,
  name,
  slug,
  description: undefined,
  parent: null,
});

/** The city is the venue: lists do not say more. What is online only has none. */
function venueOf(record: Given, place: Place): PlannedPost<VenueInput>[] {
  const city = filledTextIn(record, 'city');
  const country = filledTextIn(record, 'country');
  const name = [city, country].filter((part) => part !== undefined).join(', ');
  if (name === '') return [];
  const where = { ...(city === undefined ? {} : { city }), ...(country === undefined ? {} : { country }) };
  const input = { name: plainAsHtml(name), ...where };
  const origin = originOf(keyOf('venue', city, country), name, place);
  return [{ origin, upkeep: 'leave', id: undefined, input, modified: '' }];
}
