// From what a client sent of an event to the command's input. Absent, null and empty are told apart here, once.

import type { EventInput, PostReference, TermReference } from '../../commands/events.ts';
import { EVENT_ROWS } from '../../domain/calendar-event.ts';
import type { CostInput } from '../../domain/cost.ts';
import type { SchedulePatch } from '../../domain/schedule.ts';
import { linkedEntries } from '../parameters/linked-posts.ts';
import { isEmpty, positiveInteger } from '../parameters/readers.ts';
import { organizerCreate } from '../schemas/organizer.ts';
import { venueCreate } from '../schemas/venue.ts';
import { textOf } from '../schemas/words.ts';
import { organizerInput, venueInput } from './linked-post-input.ts';
import { flag, type Given, plainInput, postInput, text } from './post-input.ts';

/** The input of a command; `given` has passed the checks of the route's table. */
export function eventInput(given: Given): EventInput {
  const times = schedulePatch(given);
  return {
    ...postInput(given),
    ...plainInput(given, EVENT_ROWS),
    ...text(given, 'slug', 'slug'),
    ...(times ? { times } : {}),
    ...(given.cost === undefined || given.cost === null ? {} : { cost: costInput(given.cost) }),
    ...(typeof given.website === 'string' ? { website: given.website } : {}),
    ...relations(given),
    ...(given.post_parent === undefined ? {} : { parent: Number(given.post_parent) || null }),
  };
}

function relations(given: Given): Pick<EventInput, 'categories' | 'tags' | 'venues' | 'organizers'> {
  const { categories, tags, venue, organizer } = given;
  return {
    ...(categories === undefined || categories === null ? {} : { categories: termReferences(categories) }),
    ...(tags === undefined || tags === null ? {} : { tags: termReferences(tags) }),
    // Null, too, takes away what was linked.
    ...(venue === undefined ? {} : { venues: references(venue, venueCreate, venueInput) }),
    ...(organizer === undefined ? {} : { organizers: references(organizer, organizerCreate, organizerInput) }),
  };
}

function schedulePatch(given: Given): SchedulePatch | null {
  const patch: SchedulePatch = {
    ...dateOf(given.start_date, 'start'),
    ...dateOf(given.end_date, 'end'),
    ...(typeof given.timezone === 'string' ? { timezone: given.timezone } : {}),
    ...flag(given, 'all_day', 'allDay'),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

const dateOf = (value: unknown, name: 'start' | 'end'): SchedulePatch =>
  typeof value === 'string' || typeof value === 'number' ? { [name]: value } : {};

/** Amounts and texts; objects count as the list of their values. */
function costInput(value: unknown): CostInput | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : null;
  const members: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const parts = members.filter((member) => typeof member === 'string' || typeof member === 'number');
  return parts.length === 0 ? null : parts;
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Numbers are ids; other texts are slugs or names. Nothing and 0 are passed over. */
function termReferences(value: unknown): TermReference[] {
  const members: unknown[] =
    typeof value === 'object' && value !== null ? Object.values(value) : textOf(value).split(',');
  return members.flatMap((member): TermReference[] => {
    const trimmed = textOf(member).trim();
    if (isEmpty(trimmed)) return [];
    if (NUMBER.test(trimmed)) return [{ id: positiveInteger(trimmed) ?? 0 }];
    return [{ text: trimmed }];
  });
}

function references<Input>(
  value: unknown,
  table: Parameters<typeof linkedEntries>[1],
  inputOf: (fields: Given) => Input,
): PostReference<Input>[] {
  return linkedEntries(value, table).map((entry) =>
    'id' in entry ? { id: entry.id } : { input: inputOf(entry.fields) },
  );
}
