// Reads the output of `daybook export` as an import plan.

import { createHash } from 'node:crypto';
import { EVENT_ROWS, type EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import type { LinkedPostInput } from '../../../../calendar/linked-post/commands/linked-posts.ts';
import { ORGANIZER_ROWS, type OrganizerInput } from '../../../../calendar/linked-post/domain/organizer.ts';
import { VENUE_ROWS, type VenueInput } from '../../../../calendar/linked-post/domain/venue.ts';
import { isPostStatus, type PostStatus } from '../../../../calendar/resource/domain/post.ts';
import { present } from '../../../../domain/present.ts';
import { resolveZone, toInstant, toWallClock } from '../../../../kernel/time/zone.ts';
import { RESOURCE_FORMAT, RESOURCE_VERSION, type ResourceKind } from '../../../export/resource-lines.ts';
import { attendanceIn } from '../../attendance.ts';
import {
  emptyTexts,
  extensionsOf,
  type ForeignRecord,
  fieldsIn,
  filledTextIn,
  idIn,
  isObject,
  textIn,
  Unreadable,
} from '../../fields.ts';
import {
  EMPTY_PLAN,
  type ImportKind,
  type Origin,
  type Place,
  type PlannedEvent,
  type PlannedPost,
  type PlannedTerm,
  type Reading,
  type Remark,
} from '../../import-plan.ts';
import { parseJson } from '../../parse-json.ts';
import { imageIn } from '../rest-v1/fields.ts';

interface ResourceReading {
  readonly file: string;
  readonly authors: 'keep' | 'drop';
  /** Identifies the target log; null for an empty one. */
  readonly ownOrigin: string | null;
}

interface Scope extends ResourceReading {
  readonly origin: string;
}

/** It reads all or nothing, and throws `Unreadable` if something is missing or has changed. */
export async function readResources(
  lines: AsyncIterable<Buffer> | Iterable<Buffer>,
  reading: ResourceReading,
): Promise<Reading[]> {
  const hash = createHash('sha256');
  const readings: Reading[] = [];
  let scope: Scope | null = null;
  let isComplete = false;
  let number = 0;
  for await (const bytes of lines) {
    number += 1;
    if (isComplete) throw new Unreadable(`there is more after its last line (line ${number})`);
    const line = parsed(bytes, number);
    if (scope && line.end === RESOURCE_FORMAT) {
      isComplete = true;
      if (line.digest !== `sha256:${hash.digest('hex')}`)
        throw new Unreadable('it is damaged: its digest is not the one in its last line');
      continue;
    }
    hash.update(bytes);
    if (scope) readings.push(readingOf(line, { file: reading.file, index: number - 1 }, scope));
    else scope = { ...reading, origin: originIn(line, reading) };
  }
  if (!isComplete) throw new Unreadable(`it is truncated: it ends after line ${number}, without a last line`);
  const keys = new Set(readings.flatMap(({ plan }) => plan.events.map(({ origin }) => origin.key)));
  return readings.map((reading) => datesAlone(reading, keys));
}

export const UNPROTECTED = 'its password is not in the export; it is not public here until it gets one';
export const ALONE =
  'taken as single events: it is not told by which rules it repeats. Try the address of that calendar, as iCalendar or of its API';

/** Dates of a series belong to what is no event of its own, which is told once for each series. */
function datesAlone(reading: Reading, keys: ReadonlySet<string>): Reading {
  const [event] = reading.plan.events;
  const parent = event?.parent ?? null;
  if (!event || parent === null || keys.has(parent)) return reading;
  const remark: Remark = { kind: 'event', origin: { ...event.origin, key: parent }, text: ALONE };
  const plan = { ...reading.plan, events: [{ ...event, parent: null }] };
  return { ...reading, plan, remarks: [...(reading.remarks ?? []), remark] };
}

function parsed(bytes: Buffer, number: number): ForeignRecord {
  try {
    const value = parseJson(bytes.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Unreadable(`its line ${number} is broken`);
}

/** Throws `Unreadable` for an export of the target calendar itself. */
export function assertForeign(origin: string, ownOrigin: string | null): void {
  if (origin === ownOrigin)
    throw new Unreadable(
      'it comes from this very calendar, or a copy of it: to take changes back there is `daybook revert`',
    );
}

/** Identifies a resource of an export, whatever its format. */
export const exportedKey = (origin: string, kind: ResourceKind, id: number): string =>
  `import:daybook:${origin}:${kind}:${id}`;

function originIn(header: ForeignRecord, { ownOrigin }: ResourceReading): string {
  if (header.version !== RESOURCE_VERSION)
    throw new Unreadable(`it is an export of format ${String(header.version)}; this version reads ${RESOURCE_VERSION}`);
  const origin = filledTextIn(header, 'origin') ?? 'empty';
  assertForeign(origin, ownOrigin);
  return origin;
}

const KEPT: readonly ImportKind[] = ['category', 'tag', 'venue', 'organizer', 'event'];

function readingOf(line: ForeignRecord, place: Place, scope: Scope): Reading {
  if (line.kind === 'proposal') return leftOut(line, place, scope);
  const kind = KEPT.find((one) => one === line.kind);
  const id = idIn(line, 'id');
  if (!kind || id === undefined) throw new Unreadable(`its line ${(place.index ?? 0) + 1} is not a resource`);
  const name = textIn(line, kind === 'event' ? 'title' : 'name') ?? '';
  const origin: Origin = {
    source: sourceOf(scope),
    key: keyOf(scope, kind, id),
    name,
    place,
  };
  if (kind === 'category' || kind === 'tag')
    return { plan: { ...EMPTY_PLAN, terms: [plannedTerm(kind, id, name, line, origin, scope)] }, faults: [] };
  const life = lifeOf(line, scope);
  const remarks: Remark[] = life.wasProtected ? [{ kind, origin, text: UNPROTECTED }] : [];
  if (kind === 'event')
    return {
      plan: { ...EMPTY_PLAN, events: [plannedEvent(id, name, line, origin, life, scope)] },
      faults: [],
      remarks,
    };
  const common = { origin, upkeep: 'follow', id, modified: '', disposition: life.disposition } as const;
  if (kind === 'organizer') {
    const input: OrganizerInput = { ...life.input, ...NO_ORGANIZER_TEXTS, ...fieldsIn(line, ORGANIZER_ROWS), name };
    return { plan: { ...EMPTY_PLAN, organizers: [{ ...common, input }] }, faults: [], remarks };
  }
  const input: VenueInput = { ...life.input, ...venueContent(line), name };
  const venues: PlannedPost<VenueInput>[] = [{ ...common, input }];
  return { plan: { ...EMPTY_PLAN, venues }, faults: [], remarks };
}

/** Its author is a user of the other calendar, and what it was decided on a revision there. */
function leftOut(line: ForeignRecord, place: Place, scope: Scope): Reading {
  const id = idIn(line, 'id');
  const target = isObject(line.target) ? line.target : {};
  const kind = KEPT.find((one) => one === target.kind);
  if (!kind || id === undefined) throw new Unreadable(`its line ${(place.index ?? 0) + 1} is not a resource`);
  const name = `proposal ${id}`;
  const origin = { source: sourceOf(scope), key: keyOf(scope, 'proposal', id), name, place };
  const remark = { kind, origin, text: 'proposals are not imported; a restored log has them' };
  return { plan: EMPTY_PLAN, faults: [], remarks: [remark] };
}

const sourceOf = ({ origin }: Scope): string => `a Daybook export (${origin.slice(0, 8)})`;

const keyOf = ({ origin }: Scope, kind: ResourceKind, id: number): string => exportedKey(origin, kind, id);

function plannedTerm(
  kind: PlannedTerm['kind'],
  id: number,
  name: string,
  line: ForeignRecord,
  origin: Origin,
  scope: Scope,
): PlannedTerm {
  const parent = idIn(line, 'parent');
  return {
    kind,
    origin,
    upkeep: 'follow',
    id,
    name,
    slug: filledTextIn(line, 'slug'),
    description: textIn(line, 'description'),
    parent: parent === undefined ? null : keyOf(scope, kind, parent),
  };
}

/** Members missing in a line are empty. */
const [NO_VENUE_TEXTS, NO_ORGANIZER_TEXTS] = [emptyTexts(VENUE_ROWS), emptyTexts(ORGANIZER_ROWS)];

function venueContent(line: ForeignRecord): VenueInput {
  const { coordinates } = line;
  const { lat, lng } = isObject(coordinates) ? coordinates : {};
  return {
    ...NO_VENUE_TEXTS,
    ...fieldsIn(line, VENUE_ROWS),
    coordinates: typeof lat === 'number' && typeof lng === 'number' ? { lat, lng } : null,
  };
}

interface Life {
  readonly input: LinkedPostInput;
  readonly disposition: 'stay' | 'trash';
  readonly wasProtected: boolean;
}

/** A resource in the trash is created as it was before, then trashed. */
function lifeOf(line: ForeignRecord, { authors }: Scope): Life {
  const before = isObject(line.trashed_from) ? line.trashed_from : null;
  const slug = filledTextIn(before ?? line, 'slug');
  const author = authors === 'keep' ? idIn(line, 'author') : undefined;
  const wasProtected = line.password_protected === true;
  const exported = statusIn(before ?? line);
  // Without its password it would be public.
  const status: PostStatus = wasProtected && (exported === 'publish' || exported === 'future') ? 'private' : exported;
  const isTrash = line.status === 'trash';
  return {
    input: present({
      status: status === 'trash' ? 'draft' : status,
      ...{ slug, dateUtc: filledTextIn(line, 'date_utc'), author },
      image: imageIn(line.image),
    }),
    disposition: isTrash ? 'trash' : 'stay',
    wasProtected,
  };
}

function statusIn(record: ForeignRecord): PostStatus {
  const status = textIn(record, 'status') ?? '';
  return isPostStatus(status) ? status : 'draft';
}

function plannedEvent(
  id: number,
  title: string,
  line: ForeignRecord,
  origin: Origin,
  life: Life,
  scope: Scope,
): PlannedEvent {
  const { cost } = line;
  const website = textIn(line, 'website');
  const parent = idIn(line, 'parent');
  const input: EventInput = {
    ...life.input,
    description: '',
    excerpt: '',
    ...fieldsIn(line, EVENT_ROWS),
    title,
    times: timesOf(line),
    cost: Array.isArray(cost) ? cost.map(String) : null,
    // A blank clears it; an absent one would make the event's own page its website.
    ...(website === undefined ? {} : { website: website || ' ' }),
    extensions: isObject(line.extensions) ? extensionsOf(line.extensions) : {},
    eventStatus: 'scheduled',
    notices: [],
    online: null,
    ...attendanceIn(line),
  };
  const keys = (member: string, kind: ResourceKind): string[] =>
    (Array.isArray(line[member]) ? line[member] : []).map((one) => keyOf(scope, kind, Number(one)));
  return {
    origin,
    id,
    input,
    categories: keys('categories', 'category'),
    tags: keys('tags', 'tag'),
    venues: keys('venues', 'venue'),
    organizers: keys('organizers', 'organizer'),
    merging: 'newest',
    modified: '',
    disposition: life.disposition,
    parent: parent === undefined ? null : keyOf(scope, 'event', parent),
  };
}

/**
 * Which of the two the author gave, wall clock or instant. The instant, too, for the second pass of a repeated hour, if
 * the zone rules still agree.
 */
function timesOf(line: ForeignRecord): NonNullable<EventInput['times']> {
  const timezone = textIn(line, 'timezone') ?? '';
  const zone = resolveZone(timezone);
  const forms = isObject(line.dates_given) ? line.dates_given : {};
  const timeOf = (wall: string, utc: string, what: unknown): string => {
    const wallClock = textIn(line, wall) ?? '';
    const instant = Date.parse(`${(textIn(line, utc) ?? '').replace(' ', 'T')}Z`) / 1000;
    if (zone === null || !Number.isSafeInteger(instant)) return wallClock;
    const isSecondPass = toWallClock(instant, zone) === wallClock && toInstant(wallClock, zone) !== instant;
    return what === 'instant' || isSecondPass ? `${textIn(line, utc)}Z` : wallClock;
  };
  return {
    start: timeOf('start_date', 'utc_start_date', forms.start),
    end: timeOf('end_date', 'utc_end_date', forms.end),
    timezone,
    allDay: line.all_day === true,
  };
}
