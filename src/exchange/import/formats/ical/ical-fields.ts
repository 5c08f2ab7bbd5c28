// Properties of calendar events as command inputs, with their references.

import type { EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import type { OrganizerInput } from '../../../../calendar/linked-post/domain/organizer.ts';
import type { VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import { cleanRichText } from '../../../../kernel/text/clean-html.ts';
import { comparedName } from '../../../../kernel/text/compared-name.ts';
import { textOfHtml } from '../../../../kernel/text/html-text.ts';
import { withoutControls } from '../../../../kernel/text/plain-text.ts';
import type { Origin, Place, PlannedPost, PlannedTerm } from '../../import-plan.ts';
import { realAddress, realName } from '../../placeholders.ts';
import { plainAsHtml } from '../table/cells.ts';
import type { IcalEvent } from './ical.ts';
import { lineOf } from './ical-lines.ts';
import { MAX_NAME_LENGTH, whereaboutsOf } from './ical-places.ts';

const WEB_ADDRESS = /^https?:\/\/\S+$/i;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;
const PHONE = /^[+(]?\d[\d\s()./-]{4,}$/;

/** The calendar that an event is from. */
interface OfCalendar {
  readonly source: string;
  /** Written by a Daybook. */
  readonly isOurs: boolean;
}

const folded = comparedName;

const keyOf = (kind: string, ...parts: readonly string[]): string =>
  `import:ical:${kind}:${JSON.stringify(parts.map(folded))}`;

/** Identifies the occurrence in every run; `''` for a single event. */
export const eventKey = (uid: string, occurrence: string): string =>
  `import:ical:event:${JSON.stringify([uid, occurrence])}`;

/** Identifies a series in every run. */
export const seriesKey = (uid: string): string => `import:ical:series:${JSON.stringify([uid])}`;

/** References of a calendar event: derived from its texts, so existing resources stay unchanged. */
export interface Referred {
  readonly categories: readonly PlannedTerm[];
  readonly venues: readonly PlannedPost<VenueInput>[];
  readonly organizers: readonly PlannedPost<OrganizerInput>[];
}

export function referredBy(event: IcalEvent, { source, isOurs }: OfCalendar, place: Place): Referred {
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
    venues: whereaboutsOf(event, isOurs).venues.map(({ written, input }) => ({
      origin: originOf(keyOf('venue', written), input.name),
      upkeep: 'leave',
      id: undefined,
      input: { ...input, name: plainAsHtml(input.name) },
      modified: '',
    })),
    organizers: organizersOf(event, isOurs).map(({ written, input }) => ({
      origin: originOf(keyOf('organizer', written), input.name),
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

interface OrganizerOfEvent {
  readonly written: string;
  readonly input: OrganizerInput & { readonly name: string };
}

/** A contact is an organizer where there is none, and always in a calendar of a Daybook, which writes those without an email so. */
function organizersOf({ organizer, contacts }: IcalEvent, isOurs: boolean): OrganizerOfEvent[] {
  const email = organizer && EMAIL.test(organizer.email) ? realAddress(organizer.email) : '';
  const name = lineOf(realName(organizer?.name ?? '') || email).slice(0, MAX_NAME_LENGTH);
  const leading = name === '' ? [] : [{ written: name, input: { name, ...(email === '' ? {} : { email }) } }];
  const [first] = contacts.flatMap(contactIn);
  if (isOurs) return [...leading, ...contacts.flatMap(contactIn)];
  return leading.length === 0 && first ? [first] : leading;
}

/** A name with further parts, of which some are an address or a number. */
function contactIn(contact: string): OrganizerOfEvent[] {
  const written = lineOf(contact).slice(0, MAX_NAME_LENGTH);
  const parts = written.split(', ');
  const [website, email, phone] = [WEB_ADDRESS, EMAIL, PHONE].map((form) => parts.find((part) => form.test(part)));
  const name = realName(
    parts.filter((part) => part !== website && part !== email && part !== phone).join(', ') || written,
  );
  if (name === '') return [];
  return [
    {
      written,
      input: {
        name,
        ...(email && realAddress(email) && { email }),
        ...(phone && { phone }),
        ...(website && { website }),
      },
    },
  ];
}

/** Everything but times and references. Properties missing in the calendar stay unchanged here. */
export function inputOf(event: IcalEvent, title: string, { isOurs }: Pick<OfCalendar, 'isOurs'>): EventInput {
  const { texts, image } = event;
  const website = texts.url.trim();
  const { isOnline, meeting } = whereaboutsOf(event, isOurs);
  const isPublic = !/^(?:private|confidential)$/i.test(texts.class.trim());
  return {
    title: plainAsHtml(title),
    description: descriptionOf(event, isOurs),
    ...(WEB_ADDRESS.test(website) && { website }),
    ...(image === '' ? {} : { image }),
    ...(isOnline && { online: { isVirtual: true, ...(meeting !== '' && { virtualUrl: new URL(meeting).href }) } }),
    ...(isPublic ? {} : { status: 'private' }),
  };
}

/** Signs such as `<` are text unless an element of a text ends, or a line. */
const MARKUP =
  /<\/(?:a|b|blockquote|body|div|em|font|h[1-6]|html|html-blob|i|li|ol|p|s|span|strong|table|td|tr|u|ul)\s*>|<(?:br|hr|li|p)(?:\s[^<>]*)?\/?>/i;
/** Where there are these, line ends are layout. */
const LINES = /<(?:br|div|li|p|td)\b/i;

/** Google writes HTML into descriptions, Outlook beside them; RFC 9073 has a property for it. */
function descriptionOf({ texts, richText }: IcalEvent, isOurs: boolean): string {
  const plain = withoutControls(texts.description).trim();
  const rich = richText || (!isOurs && MARKUP.test(plain) ? plain : '');
  if (rich === '') return plainAsHtml(plain);
  const clean = cleanRichText(LINES.test(rich) ? rich.replace(/\s+/g, ' ') : rich).trim();
  return textOfHtml(clean) === '' ? plainAsHtml(plain) : clean;
}
