// Records of the events API (events, venues, organizers, categories and tags) as an import plan.

import { type EventInput, FURTHER_EVENT_ROWS } from '../../../../calendar/event/domain/calendar-event.ts';
import type { CostDisplay } from '../../../../calendar/event/domain/currency.ts';
import { CONTACT_ROWS, type OrganizerInput } from '../../../../calendar/linked-post/domain/organizer.ts';
import { PLACE_ROWS, type VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import type { PostInput } from '../../../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../../../calendar/term/domain/term.ts';
import { present } from '../../../../domain/present.ts';
import { attendanceIn } from '../../attendance.ts';
import { typedAddress, typedTitle } from '../../editor-text.ts';
import {
  emptyTexts,
  extensionsOf,
  type ForeignRecord,
  fieldsIn,
  filledTextIn,
  idIn,
  isObject,
  objectsIn,
  siteOf,
  textIn,
} from '../../fields.ts';
import {
  EMPTY_PLAN,
  type Fault,
  type ImportKind,
  joined,
  type Origin,
  type Place,
  type PlannedEvent,
  type PlannedPost,
  type PlannedTerm,
  type Reading,
  type Remark,
} from '../../import-plan.ts';
import { UNDATED } from '../../publication.ts';
import { cannotBeRead } from '../ical/ical-moments.ts';
import { type Converted, contact, costOf, endIn, postInput, slugOf, timesOf } from './fields.ts';
import { seriesOfRecord, type ToldDate, togetherAsSeries } from './series.ts';

interface TecReading {
  readonly place: Place;
  /** The host that the record was fetched from; null for files. */
  readonly site: string | null;
  readonly display: CostDisplay;
  /** `keep`: numbers of authors are adopted, for users who were added with the same numbers. */
  readonly authors: 'keep' | 'drop';
}

type Scope = TecReading & { readonly host: string; readonly owner: Pick<Origin, 'owner'> };

const nameOf = (record: ForeignRecord, member: string): string =>
  filledTextIn(record, member) ?? (record.id === undefined ? '(no name)' : `#${String(record.id)}`);

const keyOf = (host: string, kind: ImportKind, id: number): string => `import:${host}:${kind}:${id}`;

function originOf({ host, owner, place }: Scope, kind: ImportKind, id: number, name: string): Origin {
  return { source: host, key: keyOf(host, kind, id), ...owner, name, place };
}

/** What a site says to be of another one is not taken for what that one has brought. */
const ownerOf = (host: string, site: string | null): Pick<Origin, 'owner'> =>
  site === null || bare(site) === bare(host) ? {} : { owner: site };

const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '');

function scopeOf(record: ForeignRecord, reading: TecReading): Scope {
  const host = siteOf(record) ?? reading.site ?? 'file';
  return { ...reading, host, owner: ownerOf(host, reading.site) };
}

/** Reads a record of its own. */
export function readTecRecord(kind: ImportKind, record: ForeignRecord, reading: TecReading): Reading {
  const scope = scopeOf(record, reading);
  if (kind === 'event') return withSeriesNote(record, eventReading(record, scope), scope);
  if (kind === 'venue') return settled(kind, record, scope, (venue) => ({ venues: [venue] }), plannedVenue);
  if (kind === 'organizer') return settled(kind, record, scope, (one) => ({ organizers: [one] }), plannedOrganizer);
  return settled(kind, record, scope, (term) => ({ terms: [term] }), plannedTerm);
}

function settled<Planned extends object>(
  kind: ImportKind,
  record: ForeignRecord,
  scope: Scope,
  wrap: (planned: Planned) => Partial<Reading['plan']>,
  parse: (record: ForeignRecord, scope: Scope) => Converted<Planned>,
): Reading {
  const planned = parse(record, scope);
  if (!('invalid' in planned)) return { plan: { ...EMPTY_PLAN, ...wrap(planned) }, faults: [] };
  const member = kind === 'venue' || kind === 'organizer' ? kind : 'name';
  return { plan: EMPTY_PLAN, faults: [faultOf(kind, nameOf(record, member), scope, planned.invalid)] };
}

const faultOf = (kind: ImportKind, name: string, { place }: Scope, reason: string): Fault => ({
  kind,
  name,
  place,
  reason,
});

/** An event with everything that it embeds; invalid embedded resources are left out and reported on their own. */
function eventReading(record: ForeignRecord, scope: Scope): Reading {
  const terms = [...(objectsIn(record, 'categories') ?? []), ...(objectsIn(record, 'tags') ?? [])];
  const embedded = [
    ...terms.map((term) => settled(termKindOf(term), term, scope, (planned) => ({ terms: [planned] }), plannedTerm)),
    ...(objectsIn(record, 'venue') ?? []).map((one) => readTecRecord('venue', one, scope)),
    ...(objectsIn(record, 'organizer') ?? []).map((one) => readTecRecord('organizer', one, scope)),
  ];
  const { plan, faults } = joined(embedded);
  const whole = plannedEvent(record, scope);
  const event = isMasked(record) && !('invalid' in whole) ? maskedEvent(whole) : whole;
  if ('invalid' in event)
    return { plan: EMPTY_PLAN, faults: [...faults, faultOf('event', nameOf(record, 'title'), scope, event.invalid)] };
  const { unreadEnd } = endIn(record);
  const notes = [
    ...(isMasked(record) ? [PROTECTED] : []),
    ...(record.status === 'future' && event.input.status === 'draft' ? [UNDATED] : []),
    ...(unreadEnd === undefined ? [] : [`taken without its end_date: ${cannotBeRead(unreadEnd).message}`]),
  ];
  return {
    plan: { ...plan, events: [event] },
    faults,
    remarks: notes.map((text) => ({ kind: 'event', origin: event.origin, text }) as const),
  };
}

const PROTECTED = 'it is protected by a password there, so its content is not told; it is private here';

/** Flags of content that needs a password are null. */
const isMasked = (record: ForeignRecord): boolean => record.all_day === null && record.show_map === null;

/** What the public may read of it; the rest is as it is here. */
const maskedEvent = ({ input: { title, slug, times, dateUtc }, ...planned }: PlannedEvent): PlannedEvent => ({
  ...planned,
  ...{ categories: undefined, tags: undefined, venues: undefined, organizers: undefined },
  input: { status: 'private', ...present({ title, slug, times, dateUtc }) },
});

/** A series of another Daybook, of which all dates that are shown are known. Single events with a note if it cannot be kept. */
export function readTecSeries(series: ForeignRecord, dates: readonly ForeignRecord[], reading: TecReading): Reading {
  const scope = scopeOf(dates[0] ?? series, reading);
  const key = keyOfSeries(scope, idIn(series, 'id') ?? 0);
  const readings = dates.map((record) => eventReading(record, scope));
  const events = readings.map(({ plan }, at): ToldDate[] =>
    plan.events.map((event) => ({
      planned: { ...event, instead: [key] },
      isOverride: isObject(dates[at]?.series) && dates[at].series.is_override === true,
    })),
  );
  const parts = joined(readings);
  const all = { ...parts, plan: { ...parts.plan, events: events.flat().map(({ planned }) => planned) } };
  const [first] = all.plan.events;
  if (!first) return all;
  const together = togetherAsSeries(series, events.flat());
  const origin = { ...first.origin, key, place: reading.place };
  if ('reason' in together)
    return {
      ...all,
      remarks: [...all.remarks, { kind: 'event', origin, text: `taken as single events: ${together.reason}` }],
    };
  const instead = all.plan.events.map((event) => event.origin.key);
  const planned = { ...together.common, origin, id: undefined, series: together.series, instead };
  return { ...all, plan: { ...all.plan, events: [planned] } };
}

const keyOfSeries = ({ host }: Scope, id: number): string => `import:${host}:series:${id}`;

const SINGLES =
  'taken as single events: only the address of the API tells by which rules it repeats, or the iCalendar address of that calendar';

/** Once for each series. */
function withSeriesNote(record: ForeignRecord, reading: Reading, scope: Scope): Reading {
  const id = seriesOfRecord(record);
  const origin = reading.plan.events[0]?.origin;
  if (id === undefined || !origin) return reading;
  const note: Remark = { kind: 'event', origin: { ...origin, key: keyOfSeries(scope, id) }, text: SINGLES };
  return { ...reading, remarks: [...(reading.remarks ?? []), note] };
}

const termKindOf = (record: ForeignRecord): TermKind => (record.taxonomy === 'post_tag' ? 'tag' : 'category');

function plannedTerm(record: ForeignRecord, scope: Scope): Converted<PlannedTerm> {
  const kind = termKindOf(record);
  const id = idIn(record, 'id') ?? idIn(record, 'term_taxonomy_id');
  const name = filledTextIn(record, 'name');
  if (id === undefined) return { invalid: 'no id' };
  if (name === undefined) return { invalid: 'no name' };
  const parent = kind === 'category' ? idIn(record, 'parent') : undefined;
  return {
    kind,
    origin: originOf(scope, kind, id, name),
    upkeep: 'follow',
    id,
    name,
    slug: filledTextIn(record, 'slug'),
    description: textIn(record, 'description'),
    parent: parent === undefined ? null : keyOf(scope.host, kind, parent),
  };
}

/** Missing contact data is empty; a missing region is derived. */
const NO_TEXTS = emptyTexts(PLACE_ROWS.filter(({ member }) => member !== 'stateprovince'));
const NO_CONTACT = emptyTexts(CONTACT_ROWS);

function plannedVenue(record: ForeignRecord, scope: Scope): Converted<PlannedPost<VenueInput>> {
  const common = linkedPost(record, scope, 'venue');
  if ('invalid' in common) return common;
  const { geo_lat: lat, geo_lng: lng } = record;
  const input: VenueInput = {
    ...common.input,
    ...NO_TEXTS,
    ...fieldsIn(record, PLACE_ROWS),
    coordinates: typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null,
  };
  if (record.show_map !== null) return { ...common, input };
  // Protected by a password: what is told of it is nothing to go by.
  const { name, slug } = common.input;
  return { ...common, upkeep: 'leave', input: present({ name, slug }) };
}

function plannedOrganizer(record: ForeignRecord, scope: Scope): Converted<PlannedPost<OrganizerInput>> {
  const common = linkedPost(record, scope, 'organizer');
  if ('invalid' in common) return common;
  const input: OrganizerInput = {
    ...common.input,
    ...NO_CONTACT,
    ...fieldsIn(record, CONTACT_ROWS),
  };
  return { ...common, input };
}

/** The name of an unnamed venue: the next best description of the place. */
const placeNameOf = (record: ForeignRecord): string | undefined =>
  ['address', 'city', 'stateprovince', 'country', 'zip'].map((name) => filledTextIn(record, name)).find(Boolean);

type CommonInput = PostInput & { readonly name: string; readonly description: string; readonly slug?: string };

function linkedPost(
  record: ForeignRecord,
  scope: Scope,
  kind: 'venue' | 'organizer',
): Converted<PlannedPost<CommonInput>> {
  const id = idIn(record, 'id');
  const name = filledTextIn(record, kind) ?? (kind === 'venue' ? placeNameOf(record) : undefined);
  if (id === undefined) return { invalid: 'no id' };
  if (name === undefined) return { invalid: 'no name' };
  const post = postInput(record, scope.authors);
  if ('invalid' in post) return post;
  return {
    origin: originOf(scope, kind, id, name),
    upkeep: 'follow',
    id,
    input: { ...post.input, ...slugOf(record), name: typedTitle(name), description: contact(record, 'description') },
    modified: contact(record, 'modified_utc'),
  };
}

function plannedEvent(record: ForeignRecord, scope: Scope): Converted<PlannedEvent> {
  const id = idIn(record, 'id');
  const title = filledTextIn(record, 'title');
  if (id === undefined) return { invalid: 'no id' };
  if (title === undefined) return { invalid: 'no title' };
  const post = postInput(record, scope.authors);
  const times = timesOf(record);
  if ('invalid' in post) return post;
  if ('invalid' in times) return times;
  const input: EventInput = {
    ...post.input,
    ...slugOf(record),
    ...fieldsIn(record, FURTHER_EVENT_ROWS),
    title: typedTitle(title),
    description: contact(record, 'description'),
    excerpt: contact(record, 'excerpt'),
    times: times.times,
    ...('cost' in record ? { cost: costOf(record, scope.display) } : {}),
    // A blank clears it; an absent one would make the event's own page its website.
    website: typedAddress(contact(record, 'website')) || ' ',
    extensions: extensionsOf(record),
    ...attendanceIn(record),
  };
  const keys = (name: string, kind: ImportKind): string[] | undefined =>
    objectsIn(record, name)?.flatMap((one) => keyOf(scope.host, kind, idIn(one, 'id') ?? 0));
  return {
    origin: originOf(scope, 'event', id, title),
    id,
    input,
    categories: keys('categories', 'category'),
    tags: keys('tags', 'tag'),
    venues: keys('venue', 'venue'),
    organizers: keys('organizer', 'organizer'),
    merging: 'newest',
    modified: contact(record, 'modified_utc'),
  };
}
