// Properties of calendar events as command inputs, with their references.

import type { EventInput } from '../../../domain/calendar-event.ts';
import type { OrganizerInput } from '../../../domain/organizer.ts';
import type { VenueInput } from '../../../domain/venue.ts';
import { withoutControls } from '../../../text/plain-text.ts';
import type { Origin, Place, PlannedPost, PlannedTerm } from '../../import-plan.ts';
import { plainAsHtml } from '../table/html.ts';
import type { IcalEvent } from './ical.ts';

const LONGEST_NAME = 200;
const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;

/** A text in one line, trimmed. */
export const lineOf = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim();

const folded = (text: string): string => text.toLowerCase();

const keyOf = (kind: string, ...parts: readonly string[]): string =>
  `import:ical:${kind}:${JSON.stringify(parts.map(folded))}`;

/** Identifies the occurrence in every run; `''` for a single event. */
export const eventKey = (uid: string, occurrence: string): string =>
  `import:ical:event:${JSON.stringify([uid, occurrence])}`;

/** References of a calendar event: derived from its texts, so existing resources stay unchanged. */
export interface Referred {
  readonly categories: readonly PlannedTerm[];
  readonly venues: readonly PlannedPost<VenueInput>[];
  readonly organizers: readonly PlannedPost<OrganizerInput>[];
}

export function referredBy(event: IcalEvent, source: string, place: Place): Referred {
  const originOf = (key: string, name: string): Origin => ({ source, key, name, place });
  return {
    categories: categoriesOf(event).map((name) => ({
      kind: 'category',
      origin: originOf(keyOf('category', name), name),
      upkeep: 'leave',
      id: undefined,
      name: plainAsHtml(name),
      slug: undefined,
      description: undefined,
      parent: null,
    })),
    venues: venuesOf(event).map((input) => ({
      origin: originOf(keyOf('venue', input.name), input.name),
      upkeep: 'leave',
      id: undefined,
      input: { ...input, name: plainAsHtml(input.name) },
      modified: '',
    })),
    organizers: organizersOf(event).map((input) => ({
      origin: originOf(keyOf('organizer', input.name), input.name),
      upkeep: 'leave',
      id: undefined,
      input: { ...input, name: plainAsHtml(input.name) },
      modified: '',
    })),
  };
}

function categoriesOf({ categories }: IcalEvent): string[] {
  const names = categories.map(lineOf).filter((name) => name !== '');
  return names.filter((name, index) => names.findIndex((other) => folded(other) === folded(name)) === index);
}

type Named<Input> = Input & { readonly name: string };

/** A web address is not a place, so it makes no venue. */
function venuesOf({ text, place }: IcalEvent): Named<VenueInput>[] {
  const name = lineOf(text('location')).slice(0, LONGEST_NAME);
  if (name === '' || WEB_ADDRESS.test(name)) return [];
  return [{ name, ...(place ? { coordinates: place } : {}) }];
}

function organizersOf({ organizer, text }: IcalEvent): Named<OrganizerInput>[] {
  const email = organizer && EMAIL.test(organizer.email) ? organizer.email : '';
  const name = lineOf(organizer?.name || email || text('contact')).slice(0, LONGEST_NAME);
  if (name === '') return [];
  return [{ name, ...(email === '' ? {} : { email }) }];
}

/** Everything but times and references. Properties missing in the calendar stay unchanged here. */
export function inputOf({ text, image }: IcalEvent, title: string): EventInput {
  const location = lineOf(text('location'));
  const website = [text('url').trim(), location].find((address) => WEB_ADDRESS.test(address));
  const isPublic = !/^(?:private|confidential)$/i.test(text('class').trim());
  return {
    title: plainAsHtml(title),
    description: plainAsHtml(withoutControls(text('description')).trim()),
    ...(website === undefined ? {} : { website }),
    ...(image === '' ? {} : { image }),
    ...(isPublic ? {} : { status: 'private' }),
  };
}
