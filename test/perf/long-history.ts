// A log of a wished length, as years of use leave it: resources are made, published, changed now and again, some thrown away.
// What belongs to one resource lies scattered over the log. The same log in every run.

import { resolveZone, toWallClock, type Zone } from '../../src/kernel/time/zone.ts';
import type { Json, NewEvent } from '../../src/log/envelope.ts';
import type { EventStore, ExpectedRevision, StreamAppend } from '../../src/log/event-store.ts';
import { seeded } from '../support/seeded.ts';

/** Of 1,000 resources so many are of a kind; what is left are events. */
const SHARES = { category: 2, tag: 8, organizer: 20, venue: 50 } as const;
/** Facts about each resource, on average. */
const FACTS_EACH = 5.7;
/** Resources that are made before anything is changed. */
const BEGINNING = 20;
/** Words that are rarer the later they come. */
const RARE_WORDS = 20_000;
const APPENDS_AT_ONCE = 1_000;
const DAY = 86_400;
const FIRST_DAY = 1_700_000_000;
const WORDS = (
  "open evening concert reading market walk workshop lecture film dance choir garden river harbour museum history don't " +
  'children music theatre jazz &amp; Brecht\'s "Mahagonny" – café 5x5 night until late, free entry. Bring a friend! https://example.org/tickets'
).split(' ');

type Kind = keyof typeof SHARES | 'event';
type FactDraft = readonly [type: string, data: object];

interface Resource {
  readonly kind: Kind;
  readonly id: number;
  /** Of its last fact. */
  revision: number;
  state: 'public' | 'trash';
}

/** Fills an empty store with at least `count` domain events about resources, and the slugs that belong to them. */
export async function writeHistory(store: EventStore, count: number, seed = 20_270_314): Promise<void> {
  let appends: StreamAppend[] = [];
  // An append a stream: one that is met again waits for the next round.
  const streams = new Set<string>();
  const flush = async (): Promise<void> => {
    const outcome = await store.append(appends);
    if (outcome.kind === 'conflict') throw new Error(`conflict in ${outcome.stream}`);
    appends = [];
    streams.clear();
  };
  for (const append of history(count, seed)) {
    if (appends.length >= APPENDS_AT_ONCE || streams.has(append.stream)) await flush();
    appends.push(append);
    streams.add(append.stream);
  }
  await flush();
}

function* history(count: number, seed: number): Generator<StreamAppend> {
  const zone = resolveZone('Europe/Berlin');
  if (!zone) throw new Error('no zone Europe/Berlin');
  const tell = teller(zone, seed);
  const resources: Resource[] = [];
  const ids = { post: 0, term: 0 };
  let written = 0;
  while (written < count) {
    const isNew = resources.length < BEGINNING || tell.chance(1 / (FACTS_EACH - 1));
    if (isNew) {
      const kind = tell.kind();
      const family = kind === 'category' || kind === 'tag' ? 'term' : 'post';
      ids[family] += 1;
      const resource: Resource = { kind, id: ids[family], revision: -1, state: 'public' };
      resources.push(resource);
      yield tell.reserved(resource);
      const facts = tell.born(resource);
      written += facts.length;
      yield tell.appended(resource, facts);
      continue;
    }
    const resource = resources[tell.below(resources.length)];
    if (!resource) continue;
    const facts = tell.changed(resource);
    written += facts.length;
    yield tell.appended(resource, facts);
  }
}

const NOUNS = { event: 'Event', venue: 'Venue', organizer: 'Organizer', category: 'Category', tag: 'Tag' } as const;

/** Tells what happens, from numbers that look random. */
function teller(zone: Zone, seed: number) {
  const random = seeded(seed);
  let told = 0;
  const below = (count: number): number => Math.floor(random() * count);
  const chance = (share: number): boolean => random() < share;
  const word = (): string =>
    chance(0.6) ? (WORDS[below(WORDS.length)] ?? '') : `w${Math.floor(RARE_WORDS ** random()).toString(36)}`;
  const text = (words: number): string => Array.from({ length: words }, word).join(' ');
  const ids = (first: number, most: number): number[] => Array.from({ length: below(most) }, () => first + below(200));

  function description(): string {
    const paragraphs = Array.from({ length: 1 + below(3) }, () => text(10 + below(40)));
    return chance(0.5) ? paragraphs.map((one) => `<p>${one}</p>`).join('\n\n') : paragraphs.join('\n\n');
  }

  function schedule() {
    const startsAt = FIRST_DAY + below(2_000) * DAY + below(96) * 900;
    const endsAt = startsAt + 3_600 * (1 + below(chance(0.1) ? 72 : 5));
    const [start, end] = [toWallClock(startsAt, zone), toWallClock(endsAt, zone)];
    return { timezone: zone.name, allDay: false, start, end, startsAt, endsAt };
  }

  const cost = () => (chance(0.5) ? { entries: [String(below(40))], symbol: '€', position: 'postfix' } : null);
  const links = () => (chance(0.9) ? [{ id: 1 + below(2_000), life: 0 }] : []);
  const website = () => (chance(0.5) ? `https://example.org/${below(1_000)}?a=1&b=2` : null);
  const flags = { showMap: true, showMapLink: true, hidden: false, sticky: false, featured: false, ticketed: false };

  function content(kind: Kind): object {
    if (kind === 'event')
      return {
        title: text(4),
        description: description(),
        excerpt: chance(0.5) ? text(15) : '',
        image: null,
        cost: cost(),
        website: website(),
        ...flags,
        categories: ids(1, 3),
        tags: ids(1, 5),
        venues: links(),
        organizers: links(),
        parent: null,
        schedule: schedule(),
      };
    const contact = { phone: '030 1234', website: '', image: null };
    if (kind === 'organizer')
      return { name: text(2), description: text(below(20)), email: 'a@example.org', ...contact };
    return { name: text(3), description: text(below(30)), ...address(), ...contact, showMap: true, showMapLink: true };
  }

  function address() {
    const coordinates = chance(0.5) ? { lat: below(90), lng: below(180) } : null;
    const place = { address: `${below(99)} Mill Lane`, city: 'Leeds', country: 'United Kingdom', zip: 'LS1 1AA' };
    return { ...place, province: 'York', state: '', stateprovince: 'York', coordinates };
  }

  function born({ kind, id }: Resource): FactDraft[] {
    const slug = `${kind}-${id}`;
    if (kind === 'category' || kind === 'tag')
      return [[`${NOUNS[kind]}Created`, { id, name: `${text(1)} ${id}`, slug, description: '', parent: 0 }]];
    const date = FIRST_DAY + told;
    const post = { author: 1 + below(9), slug, date, dateFloats: false, passwordHash: null };
    return [
      [`${NOUNS[kind]}Drafted`, { id, ...content(kind), ...post }],
      [`${NOUNS[kind]}Published`, { date }],
    ];
  }

  const EVENT_CHANGES: readonly (() => FactDraft)[] = [
    () => ['EventRetitled', { title: text(5) }],
    () => ['EventDescribed', { description: description(), excerpt: '' }],
    () => ['EventRescheduled', schedule()],
    () => ['EventRescheduled', schedule()],
    () => ['EventPriced', { cost: cost() }],
    () => ['EventPriced', { cost: cost() }],
    () => ['EventWebsiteChanged', { website: website() }],
    () => ['EventFeatured', {}],
    () => ['EventUnfeatured', {}],
    () => ['EventHiddenFromListings', {}],
    () => ['EventShownInListings', {}],
    () => ['EventCategorized', { categories: ids(1, 3) }],
    () => ['EventTagged', { tags: ids(1, 5) }],
    () => ['EventMoved', { venues: links() }],
    () => ['EventOrganizersChanged', { organizers: links() }],
    () => ['EventReassigned', { author: 1 + below(9) }],
  ];

  function changed(resource: Resource): FactDraft[] {
    const { kind, id } = resource;
    const noun = NOUNS[kind];
    if (kind === 'category' || kind === 'tag') return [[`${noun}Renamed`, { name: `${text(1)} ${id}` }]];
    const date = FIRST_DAY + told;
    if (resource.state === 'trash') {
      resource.state = 'public';
      return [[`${noun}Restored`, { status: 'publish', slug: `${kind}-${id}`, date }]];
    }
    if (chance(0.04)) {
      resource.state = 'trash';
      return [[`${noun}Trashed`, { slug: `${kind}-${id}__trashed`, date }]];
    }
    if (kind !== 'event') return [[`${noun}Renamed`, { name: text(3) }]];
    const change = EVENT_CHANGES[below(EVENT_CHANGES.length)];
    return change ? [change()] : [];
  }

  function recorded([type, data]: FactDraft): NewEvent {
    told += 1;
    return {
      id: `00000000-0000-4000-8000-${told.toString(16).padStart(12, '0')}`,
      type,
      schemaVersion: 1,
      data: data as Json, // Plain data by construction.
      metadata: {
        actor: { id: 1 + below(9), name: 'an editor' },
        instant: new Date((FIRST_DAY + told) * 1000).toISOString(),
        correlationId: `00000000-0000-4000-9000-${told.toString(16).padStart(12, '0')}`,
        causationId: `00000000-0000-4000-9000-${told.toString(16).padStart(12, '0')}`,
      },
    };
  }

  return {
    below,
    chance,
    born,
    changed,
    kind(): Kind {
      let left = below(1_000);
      for (const kind of ['category', 'tag', 'organizer', 'venue'] as const) {
        left -= SHARES[kind];
        if (left < 0) return kind;
      }
      return 'event';
    },
    reserved: ({ kind, id }: Resource): StreamAppend => ({
      stream: `slug-${kind}-${kind}-${id}`,
      expected: 'no_stream',
      events: [recorded(['SlugReserved', { owner: id }])],
    }),
    appended(resource: Resource, facts: readonly FactDraft[]): StreamAppend {
      const expected: ExpectedRevision = resource.revision < 0 ? 'no_stream' : resource.revision;
      resource.revision += facts.length;
      return { stream: `${resource.kind}-${resource.id}`, expected, events: facts.map(recorded) };
    },
  };
}
