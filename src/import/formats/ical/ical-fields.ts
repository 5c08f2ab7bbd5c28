// Properties of calendar events as command inputs, with their references.
import type { EventInput } from '../../../domain/calendar-event.ts';
import type { OrganizerInput } from '../../../domain/organizer.ts';
import type { VenueInput } from '../../../domain/venue.ts';
import { withoutControls } from '../../../text/plain-text.ts';
import { Unreadable } from '../../fields.ts';
import type { Origin, Place, PlannedPost, PlannedTerm } from '../../import-plan.ts';
import { plainAsHtml } from '../table/cells.ts';
import type { IcalEvent } from './ical.ts';

const MAX_NAME_LENGTH = 200;
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

/** Identifies a series in every run. */
export const seriesKey = (uid: string): string => `import:ical:series:${JSON.stringify([uid])}`;

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
function venuesOf({ texts, place }: IcalEvent): Named<VenueInput>[] {
  const name = lineOf(texts.location).slice(0, MAX_NAME_LENGTH);
  if (name === '' || WEB_ADDRESS.test(name)) return [];
  return [{ name, ...(place ? { coordinates: place } : {}) }];
}

function organizersOf({ organizer, texts }: IcalEvent): Named<OrganizerInput>[] {
  const email = organizer && EMAIL.test(organizer.email) ? organizer.email : '';
  const name = lineOf(organizer?.name || email || texts.contact).slice(0, MAX_NAME_LENGTH);
  if (name === '') return [];
  return [{ name, ...(email === '' ? {} : { email }) }];
}

/** Everything but times and references. Properties missing in the calendar stay unchanged here. */
export function inputOf({ texts, image }: IcalEvent, title: string): EventInput {
  const location = lineOf(texts.location);
  const website = [texts.url.trim(), location].find((address) => WEB_ADDRESS.test(address));
  const isPublic = !/^(?:private|confidential)$/i.test(texts.class.trim());
  return {
    title: plainAsHtml(title),
    description: plainAsHtml(withoutControls(texts.description).trim()),
    ...(website === undefined ? {} : { website }),
    ...(image === '' ? {} : { image }),
    ...(isPublic ? {} : { status: 'private' }),
  };
}

// Splits the text of an iCalendar file into its components, so that a broken one does not affect the others.

/** Takes each component of a calendar, from its BEGIN to its END, lines unfolded. */
interface ComponentReaders {
  VEVENT(block: string): void;
  VTIMEZONE(block: string): void;
}

/** Whether a text is an iCalendar file, whatever its name. */
export const isCalendarText = (text: string): boolean => /^\s*BEGIN:VCALENDAR\s*[\r\n]/i.test(text.slice(0, 1_000));

const NESTED_AT_MOST = 8;

/**
 * Returns the properties of the calendar itself, names in capitals and without parameters; the first of a name counts.
 * Throws `Unreadable` for a truncated file, or wrongly nested components, when those before have been taken.
 */
export function readComponents(text: string, readers: ComponentReaders): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  const open: string[] = [];
  let block: string[] = [];
  for (const line of unfolded(text)) {
    const [, word = '', named = ''] = /^(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(line) ?? [];
    const [mark, name] = [word.toUpperCase(), named.toUpperCase()];
    if (mark === 'BEGIN') {
      open.push(name);
      if (open.length > NESTED_AT_MOST) throw new Unreadable('broken iCalendar: components are nested too deeply');
      if (open.length === 2) block = [];
    }
    if (open.length === 1 && mark === '') keep(properties, line);
    if (open.length > 1) block.push(line);
    if (mark !== 'END') continue;
    const begun = open.pop();
    if (begun?.startsWith(name) && begun !== name)
      throw new Unreadable(`broken iCalendar: it breaks off in END:${begun}`);
    if (begun !== name) throw new Unreadable(`broken iCalendar: END:${name} where END:${begun ?? 'nothing'} belongs`);
    if (open.length !== 1) continue;
    if (name === 'VEVENT' || name === 'VTIMEZONE') readers[name](block.join('\r\n'));
  }
  if (open.length > 0) throw new Unreadable(`broken iCalendar: it breaks off without END:${open.at(-1)}`);
  return properties;
}

/** Lines that begin with a blank continue the line before. */
function* unfolded(text: string): Generator<string> {
  let line = '';
  for (const piece of linesOf(text)) {
    if (/^[ \t]/.test(piece)) {
      line += piece.slice(1);
      continue;
    }
    if (line.trim() !== '') yield line;
    line = piece;
  }
  if (line.trim() !== '') yield line;
}

function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}

function keep(properties: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([A-Z0-9-]+)[^:]*:(.*)$/i.exec(line) ?? [];
  const known = name.toUpperCase();
  if (known !== '' && !properties.has(known)) properties.set(known, value.trim());
}
