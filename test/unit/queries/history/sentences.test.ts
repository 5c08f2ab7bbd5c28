import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENT_FIELDS } from '../../../../src/calendar/event/domain/calendar-event.ts';
import { ORGANIZER_FIELDS } from '../../../../src/calendar/linked-post/domain/organizer.ts';
import { VENUE_FIELDS } from '../../../../src/calendar/linked-post/domain/venue.ts';
import { TERM_FIELDS } from '../../../../src/calendar/term/domain/term.ts';
import type { ResourceKind } from '../../../../src/editorial/history/queries/resource.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';
import { NOW } from '../../../support/given.ts';
import { eventDrafted, givenLog, organizerDrafted, schedule, termCreated, venueDrafted } from './given-log.ts';

const test = suite('sentences of a history');

const ROOT = path.resolve(import.meta.dirname, '../../../..');
/** Where resources and their sets are decided about; webhooks and sources have no history of sentences. */
const DOMAIN = 'src/{domain,calendar/*/domain,editorial/*/domain,people/*/domain,exchange/submissions/domain}/*.ts';
/** They are no history of anything that has one. */
const NO_INSTRUCTIONS = /^(?:User|Image|FirstStart|Submission|Guest|ChangeSet(?:Announced|Begun|Ended))/;

/** Of which kinds a file declares facts, if not of all posts. */
const NOUNS_IN: { readonly [file: string]: readonly string[] } = {
  'term.ts': ['Category', 'Tag'],
  'merge.ts': ['Venue', 'Organizer', 'Category', 'Tag'],
};

/** Every fact type that the domain declares, read from its source and its tables of fields: a type that no table knows shows here, too. */
function declaredTypes(): string[] {
  const types = new Set<string>();
  for (const file of globSync(DOMAIN, { cwd: ROOT })) {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    const nouns = NOUNS_IN[path.basename(file)] ?? ['Event', 'Venue', 'Organizer'];
    for (const [, names = ''] of source.matchAll(/\bFact<\s*('\w+'(?: \| '\w+')*)/g))
      for (const [, name = ''] of names.matchAll(/'(\w+)'/g)) types.add(name);
    for (const [, rest = ''] of source.matchAll(/\bFact<`\$\{(?:N|TermNoun)\}(\w+)`/g))
      for (const noun of nouns) types.add(`${noun}${rest}`);
  }
  for (const table of [EVENT_FIELDS, VENUE_FIELDS, ORGANIZER_FIELDS, ...Object.values(TERM_FIELDS)])
    for (const { fact } of Object.values(table)) for (const type of [fact].flat()) types.add(type);
  return [...types].filter((type) => !NO_INSTRUCTIONS.test(type)).sort();
}

test('every sort of fact that the domain declares has a sentence, and no other', () => {
  const declared = declaredTypes();
  assert.ok(declared.length > 60, `only ${declared.length} were found`);
  const { facts, proposals, sets, reviewPolicy, siteSettings, pictures, series } = ENGLISH.sentences;
  const told = [facts, proposals, sets, reviewPolicy, siteSettings, pictures, series].flatMap((sentences) =>
    Object.keys(sentences),
  );
  assert.equal(told.sort(), declared);
});

const ONLINE = { isVirtual: true, virtualUrl: 'https://meet.example', virtualVideoSource: '' };
const IMAGE = { id: 8, url: 'https://img.example/a.jpg', width: null, height: null };
const BEGINNINGS = {
  event: ['event-12', 'EventDrafted', eventDrafted()],
  venue: ['venue-4', 'VenueDrafted', venueDrafted()],
  organizer: ['organizer-7', 'OrganizerDrafted', organizerDrafted()],
  category: ['category-9', 'CategoryCreated', termCreated()],
  tag: ['tag-9', 'TagCreated', termCreated()],
} as const;
const NOUNS = { event: 'Event', venue: 'Venue', organizer: 'Organizer', category: 'Category', tag: 'Tag' } as const;

type Row = readonly [type: string, data: object, sentence: string, ...fields: string[]];

const OF_POSTS: readonly Row[] = [
  ['Published', { date: NOW }, 'Published.', 'status'],
  [
    'PublicationScheduled',
    { date: NOW + 86_400 },
    'Scheduled to be published on 2026-03-02 05:00:00.',
    'status',
    'date',
  ],
  ['ReturnedToDraft', {}, 'Returned to draft.'],
  ['SubmittedForReview', {}, 'Submitted for review.', 'status'],
  ['MadePrivate', { date: NOW }, 'Made private.', 'status'],
  ['Trashed', { slug: 'a-slug__trashed', date: NOW }, 'Moved to the trash.', 'slug', 'status'],
  ['Restored', { status: 'publish', slug: 'a-slug', date: NOW }, 'Restored from the trash as publish.', 'status'],
  ['SlugChanged', { slug: 'new' }, 'Slug changed from a-slug to new.', 'slug'],
  ['Dated', { date: NOW + 3_600 }, 'Publication date set to 2026-03-01 06:00:00.', 'date'],
  ['Reassigned', { author: 5 }, 'Given to the author 5.', 'author'],
  ['PasswordSet', { hash: 'scrypt$1' }, 'Password set.', 'password'],
  ['PasswordRemoved', {}, 'Password removed.'],
  ['Undated', {}, 'Publication date left open.', 'date'],
  ['Reverted', { toRevision: 7 }, 'Reverted to revision 7.'],
];

const OF_TERMS: readonly Row[] = [
  ['Renamed', { name: 'Songs &amp; more' }, 'Renamed from “Music” to “Songs & more”.', 'name'],
  ['SlugChanged', { slug: 'songs' }, 'Slug changed from music to songs.', 'slug'],
  ['Described', { description: 'All of it' }, 'Description changed.', 'description'],
  ['Moved', { parent: 2 }, 'Moved below the term 2.', 'parent'],
  ['Deleted', {}, 'Deleted.'],
  ['Restored', {}, 'Restored after it had been deleted.'],
  ['Reverted', { toRevision: 7 }, 'Reverted to revision 7.'],
];

const ABSORBED: Row = ['Absorbed', { from: 6 }, '#6 was merged into it.'];
const merged = (...fields: string[]): Row => ['Merged', { into: 5, events: [12] }, 'Merged into #5.', ...fields];

const TABLE: { readonly [Kind in ResourceKind]: readonly Row[] } = {
  event: [
    ...OF_POSTS,
    ['Retitled', { title: 'A <b>new</b> &amp; one' }, 'Renamed from “Open rehearsal” to “A new & one”.', 'title'],
    ['Described', { description: 'd', excerpt: '' }, 'Description or excerpt changed.', 'description'],
    [
      'Rescheduled',
      schedule('2026-12-22 10:00:00', '2026-12-22 12:00:00'),
      'Rescheduled from 2026-12-21 10:00:00 – 2026-12-21 12:00:00 to 2026-12-22 10:00:00 – 2026-12-22 12:00:00 (UTC).',
      'start_date',
      'end_date',
    ],
    [
      'AdjustedToZoneRules',
      {
        ...schedule('2026-12-21 09:00:00', '2026-12-21 11:00:00'),
        start: '2026-12-21 10:00:00',
        end: '2026-12-21 12:00:00',
        rules: '2026c',
      },
      'Adjusted to the time zone rules 2026c: from 2026-12-21 10:00:00 – 2026-12-21 12:00:00 (2026-12-21 10:00:00 – ' +
        '2026-12-21 12:00:00 UTC) to 2026-12-21 10:00:00 – 2026-12-21 12:00:00 (2026-12-21 09:00:00 – 2026-12-21 ' +
        '11:00:00 UTC, UTC).',
      'utc_start_date',
      'utc_end_date',
    ],
    ['Canceled', {}, 'Canceled.', 'event_status'],
    ['Canceled', { notice: { text: 'Storm' } }, 'Canceled. Public notice: “Storm”', 'event_status', 'notices'],
    ['Postponed', {}, 'Postponed without a new date.', 'event_status'],
    ['Confirmed', { notice: { text: '' } }, 'Confirmed again.'],
    ['NoticePublished', { notice: { text: 'Doors at 7' } }, 'Public notice: “Doors at 7”', 'notices'],
    [
      'NoticesRestored',
      { notices: [{ type: 'notice', text: 'Doors at 8', date: NOW }] },
      'Public notices restored.',
      'notices',
    ],
    ['Priced', { cost: { entries: ['5', '10'], symbol: '', position: '' } }, 'Cost set to $5 – $10.', 'cost'],
    ['WebsiteChanged', { website: 'https://a.example' }, 'Website set to https://a.example.', 'website'],
    ['WebsiteChanged', { website: '' }, 'Website removed.', 'website'],
    ['ImageChanged', { image: IMAGE }, 'Image changed.', 'image'],
    ['MapDisplayChanged', { showMap: true, showMapLink: false }, 'Display of the map changed.', 'show_map'],
    ['HiddenFromListings', {}, 'Hidden from listings.', 'hide_from_listings'],
    ['ShownInListings', {}, 'Shown in listings.'],
    ['MadeSticky', {}, 'Pinned in the calendar.', 'sticky'],
    ['Unstuck', {}, 'No longer pinned in the calendar.'],
    ['Featured', {}, 'Featured.', 'featured'],
    ['Unfeatured', {}, 'No longer featured.'],
    ['Ticketed', {}, 'Marked as having tickets.', 'ticketed'],
    ['Unticketed', {}, 'No longer marked as having tickets.'],
    ['MadeAccessible', {}, 'Marked as without barriers.', 'accessible'],
    ['MadeInaccessible', {}, 'No longer marked as without barriers.'],
    [
      'AudienceChanged',
      { accessibility: '', ageRange: '6-12', languages: 'de' },
      'Said otherwise for whom it is: accessibility, ages or languages.',
      'age_range',
      'languages',
    ],
    [
      'RegistrationChanged',
      { registrationUrl: 'https://a.example/' },
      'Changed where tickets or registration are.',
      'registration_url',
    ],
    [
      'Extended',
      { extensions: { doors_open: true } },
      'Details taken over from another calendar changed.',
      'doors_open',
    ],
    ['MovedOnline', { online: ONLINE }, 'Moved online, at https://meet.example.', 'is_virtual', 'virtual_url'],
    ['OnlineAddressChanged', { online: { ...ONLINE, virtualUrl: null } }, 'Online address removed.', 'is_virtual'],
    ['MovedOnSite', { online: { ...ONLINE, isVirtual: false } }, 'No longer online.', 'is_virtual', 'virtual_url'],
    ['JoinedSeries', { series: { id: 5, date: '2026-03-03 19:00:00', index: 1 } }, 'Became a date of series 5.'],
    ['SetApart', {}, 'Set apart from the other dates of its series.'],
    ['Categorized', { categories: [9] }, 'Categories set to Music.', 'categories'],
    ['Tagged', { tags: [9, 77] }, 'Tags set to Music, #77.', 'tags'],
    ['Moved', { venues: [{ id: 4, life: 0 }] }, 'Moved to Town Hall.', 'venue'],
    ['Moved', { venues: [] }, 'Venue removed.'],
    ['OrganizersChanged', { organizers: [{ id: 7, life: 0 }] }, 'Organizers set to Choir.', 'organizer'],
    ['PlacedUnder', { parent: 3 }, 'Made a part of the event 3.', 'post_parent'],
    ['PlacedUnder', { parent: null }, 'No longer a part of another event.'],
  ],
  venue: [
    ...OF_POSTS,
    merged('status'),
    ABSORBED,
    ['Renamed', { name: 'Old Hall' }, 'Renamed from “Town Hall” to “Old Hall”.', 'venue'],
    ['Described', { description: 'd' }, 'Description changed.', 'description'],
    ['Relocated', { city: 'Bonn', zip: '5' }, 'Address changed.', 'city', 'zip'],
    ['Pinned', { coordinates: { lat: 0, lng: 7.5 } }, 'Placed on the map at 0, 7.5.', 'geo_lat', 'geo_lng'],
    ['Pinned', { coordinates: null }, 'Taken off the map.'],
    ['ContactChanged', { phone: '1', website: '' }, 'Telephone number or website changed.', 'phone'],
    ['ImageChanged', { image: IMAGE }, 'Image changed.', 'image'],
    ['ImageChanged', { image: null }, 'Image removed.'],
    ['MapDisplayChanged', { showMap: false, showMapLink: true }, 'Display of the map changed.', 'show_map'],
  ],
  organizer: [
    ...OF_POSTS,
    merged('status'),
    ABSORBED,
    ['Renamed', { name: 'Band' }, 'Renamed from “Choir” to “Band”.', 'organizer'],
    ['Described', { description: 'd' }, 'Description changed.', 'description'],
    [
      'ContactChanged',
      { phone: '', website: '', email: 'a@b.example' },
      'Telephone number, website or e-mail address changed.',
      'email',
    ],
    ['ImageChanged', { image: IMAGE }, 'Image changed.', 'image'],
    ['Erased', { slug: 'erased-7' }, 'Personal data erased.', 'organizer', 'slug'],
  ],
  category: [...OF_TERMS, merged('parent'), ABSORBED],
  tag: [...OF_TERMS, merged(), ABSORBED],
};

const idOf = (stream: string): number => Number(stream.split('-')[1]);

for (const [name, rows] of Object.entries(TABLE)) {
  const kind = name as ResourceKind; // A key of the table.
  for (const [type, data, sentence, ...fields] of rows) {
    test(`${NOUNS[kind]}${type} says “${sentence}” and names what changed`, async () => {
      const log = givenLog();
      for (const [stream, first, whole] of Object.values(BEGINNINGS)) log.add(stream, first, whole);
      const [stream] = BEGINNINGS[kind];
      log.add(stream, `${NOUNS[kind]}${type}`, data);
      const entry = await log.last(kind, idOf(stream));
      assert.is(entry.summary, sentence);
      assert.is(entry.type, `${NOUNS[kind]}${type}`);
      assert.equal(entry.changes.map(({ field }) => field).sort(), [...fields].sort());
    });
  }
}

test('the table above has every sort of fact', () => {
  const told = new Set(Object.values(BEGINNINGS).map(([, type]) => type as string));
  for (const [kind, rows] of Object.entries(TABLE))
    for (const [type] of rows) told.add(`${NOUNS[kind as ResourceKind]}${type}`);
  assert.equal([...told].sort(), Object.keys(ENGLISH.sentences.facts).sort());
});

test('the creation of a resource is described by its name', async () => {
  const log = givenLog();
  for (const [stream, type, data] of Object.values(BEGINNINGS)) log.add(stream, type, data);
  const names = { event: 'Open rehearsal', venue: 'Town Hall', organizer: 'Choir', category: 'Music', tag: 'Music' };
  for (const [kind, [stream]] of Object.entries(BEGINNINGS)) {
    const { summary } = await log.last(kind as ResourceKind, idOf(stream));
    assert.is(summary, `Created as “${names[kind as ResourceKind]}”.`);
  }
});

test('a fact of a newer version is described in general words, and hides nothing else', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted());
  log.add('event-12', 'EventSetToMusic', { key: 'C' });
  log.add('event-12', 'EventRetitled', { title: 'Two' });
  const [retitled, unknown, drafted] = await log.history('event', 12);
  assert.is(unknown?.summary, 'Changed in a way that this version does not know (EventSetToMusic).');
  assert.equal(unknown?.changes, []);
  assert.equal(retitled?.changes, [{ field: 'title', before: 'Open rehearsal', after: 'Two' }]);
  assert.is(drafted?.revision, 0);
});

test('a stream whose first event is unknown to this version is described as such, and not as erased', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDreamt', {});
  log.add('event-12', 'EventFeatured', {});
  const told = (await log.history('event', 12)).map(({ summary, changes }) => [summary, changes.length]);
  assert.equal(told, [
    ['Changed in a way that this version does not know (EventFeatured).', 0],
    ['Changed in a way that this version does not know (EventDreamt).', 0],
  ]);
});

test.run();
