// A calendar in which all that is not public carries a mark of its own, and which callers may ever see which mark.
import { randomUUID } from 'node:crypto';
import { erase } from '../../src/people/personal-data/commands/erase.ts';
import { type As, NOON, someEvent, type TestService } from '../support/service.ts';
import type { Words } from './values.ts';

/** Something that is not public: a mark that occurs nowhere else. */
export interface Secret {
  readonly mark: string;
  readonly what: string;
  /** The callers who may see it; an empty list: no caller at all. */
  readonly readers: readonly As[];
  /** A caller who sends this password may see it, too. */
  readonly password?: string;
}

/** A resource that must not change while requests are made, so that its owner stays the same. */
export interface Guarded {
  readonly stream: string;
  readonly id: number;
  readonly kind: 'event' | 'venue' | 'organizer' | 'category' | 'user';
  /** Those whose changes would be allowed. */
  readonly writers: readonly As[];
}

export interface MarkedCalendar {
  readonly secrets: readonly Secret[];
  readonly guarded: readonly Guarded[];
  /** Slugs and names of what is guarded, each with those who would change something by naming it. */
  readonly names: readonly { readonly text: string; readonly writers: readonly As[] }[];
  readonly passwords: readonly string[];
  /** Ids of resources that may be changed. */
  readonly open: Words['ids'];
}

const EDITORS: readonly As[] = ['editor', 'administrator'];
const COLLECTIONS = ['events', 'venues', 'organizers'] as const;
type Collection = (typeof COLLECTIONS)[number];
const KINDS = { events: 'event', venues: 'venue', organizers: 'organizer' } as const;

/** Owners, and whether they may read their own posts that are not published. */
const OWNERS: readonly (readonly [owner: As, reads: boolean])[] = [
  ['author', true],
  ['contributor', true],
  ['otherAuthor', true],
  ['subscriber', false],
  ['editor', true],
];
const STATUSES = ['draft', 'pending', 'private', 'future', 'trash'] as const;

/** Fills a service. The clock goes on by an hour in between, so that there is a past. */
export async function markedCalendar(daybook: TestService): Promise<MarkedCalendar> {
  const secrets: Secret[] = [];
  const guarded: Guarded[] = [];
  const names: { text: string; writers: readonly As[] }[] = [];
  const passwords: string[] = [];
  /** By collection, owner and status. */
  const closed = new Map<string, number>();
  let count = 0;

  function mark(what: string, readers: readonly As[], password?: string): string {
    count += 1;
    const text = `qz${(count * 7919 + 100_000).toString(36)}zq`;
    secrets.push({ mark: text, what, readers, ...(password !== undefined && { password }) });
    return text;
  }

  /** Every other name is one that requests know and send about; the others are marked. */
  function nameFor(what: string, readers: readonly As[]): string {
    if (names.length % 2 === 0) return mark(`name of ${what}`, readers);
    return `Known ${names.length}`;
  }

  function guard(kind: Guarded['kind'], id: number, writers: readonly As[]): void {
    guarded.push({ stream: `${kind}-${id}`, id, kind, writers });
  }

  const ownersOf = (owner: As, reads: boolean): As[] => [...EDITORS, ...(reads ? [owner] : [])];

  /** A body of this kind whose every text bears a mark; its name has another one than the rest. */
  function bodyOf(collection: Collection, named: string, told: string): object {
    const contact = { description: `Tells ${told}`, website: `https://${told}.example/`, phone: told };
    if (collection === 'events')
      return someEvent({
        title: named,
        description: contact.description,
        excerpt: told,
        website: contact.website,
        cost: told,
      });
    if (collection === 'venues') return { venue: named, ...contact, address: told, city: told, state: told, zip: told };
    return { organizer: named, ...contact, email: `${told}@example.org` };
  }

  async function unpublished(collection: Collection, [owner, reads]: (typeof OWNERS)[number], status: string) {
    const readers = ownersOf(owner, reads);
    // Of an event in the trash its author and editors read the history.
    const named = nameFor(`${status} ${collection} of ${owner}`, readers);
    const told = mark(`content of ${status} ${collection} of ${owner}`, readers);
    const date = status === 'future' ? { date: '2099-01-01 00:00:00' } : {};
    const first = status === 'trash' ? 'draft' : status;
    const sent = { ...bodyOf(collection, named, told), author: daybook.userId(owner), status: first, ...date };
    const { id } = await daybook.created('administrator', collection, sent);
    if (status === 'trash') await daybook.request('administrator', 'DELETE', `/${collection}/${id}`);
    closed.set(`${collection} ${owner} ${status}`, id);
    guard(KINDS[collection], id, readers);
    names.push({ text: named, writers: readers });
    return id as number;
  }

  /** Public today, with something before that was not, and a reason that is for those who may read histories. */
  async function published(collection: Collection, owner: As): Promise<number> {
    const readers = ownersOf(owner, owner !== 'subscriber');
    const writers = owner === 'contributor' ? EDITORS : readers;
    const [then, why] = [mark(`draft of public ${collection} of ${owner}`, readers), mark('reason', readers)];
    const title = `Public ${collection} of ${owner}`;
    const slug = `public-${collection}-${owner.toLowerCase()}`;
    // A venue or organizer keeps the slug that its first name has given it.
    const sent = bodyOf(collection, collection === 'events' ? then : title, then);
    const draft = { ...sent, author: daybook.userId(owner), status: 'draft' };
    const { id } = await daybook.created('administrator', collection, draft);
    const linked = { venue: closed.get(`venues ${owner} draft`), organizer: closed.get(`organizers ${owner} private`) };
    const beside = collection === 'events' ? linked : {};
    const shown = {
      ...bodyOf(collection, title, 'nothing'),
      ...beside,
      slug,
      status: 'publish',
      _reason: `because ${why}`,
    };
    const answer = await daybook.request('administrator', 'PUT', `/${collection}/${id}`, shown);
    if (answer.status !== 200) throw new Error(answer.text);
    guard(KINDS[collection], id, writers);
    names.push({ text: title, writers });
    names.push({ text: slug, writers });
    return id;
  }

  async function locked(owner: As, venue: number): Promise<void> {
    const password = `pw${mark('a password', [])}`;
    const readers = ownersOf(owner, owner !== 'subscriber');
    const told = mark(`content of locked event of ${owner}`, readers, password);
    passwords.push(password);
    const title = `Locked by ${owner}`;
    const beside = {
      author: daybook.userId(owner),
      password,
      venue,
      status: 'publish',
      organizer: { organizer: `Host of what ${owner} locked` },
    };
    const body = { ...bodyOf('events', title, told), ...beside, image: `https://img.example/${told}.png` };
    const { id, organizer } = await daybook.created('administrator', 'events', body);
    // The host is public: that the event has this host is not.
    await daybook.request('administrator', 'PUT', `/organizers/${organizer[0].id}`, { status: 'private' });
    guard('event', id, owner === 'contributor' ? EDITORS : readers);
    guard('organizer', organizer[0].id, EDITORS);
    names.push({ text: `locked-by-${owner.toLowerCase()}`, writers: readers });
    names.push({ text: `Host of what ${owner} locked`, writers: EDITORS });
  }

  async function people(): Promise<number[]> {
    const open: number[] = [];
    for (const role of ['author', 'subscriber', 'editor']) {
      const email = mark(`address of a ${role}`, ['administrator']);
      const user = await daybook.created('administrator', 'users', {
        login: `m${role}`,
        role,
        email: `${email}@example.org`,
      });
      // What was told once is never told again.
      secrets.push({ mark: String(user.password).slice(-20), what: 'a token', readers: [] });
      open.push(user.id);
    }
    for (const as of ['anonymous', ...OWNERS.map(([owner]) => owner), 'administrator', 'otherContributor'] as As[]) {
      if (as === 'anonymous') continue;
      const email = mark(`address of ${as}`, ['administrator', as]);
      await daybook.request('administrator', 'PUT', `/users/${daybook.userId(as)}`, { email: `${email}@example.org` });
      guard('user', daybook.userId(as), ['administrator', as]);
    }
    secrets.push({ mark: daybook.authorization('author').slice(-20), what: 'the token of this run', readers: [] });
    return open;
  }

  async function forgotten(): Promise<void> {
    const told = mark('what was erased', []);
    const { id } = await daybook.created('administrator', 'organizers', {
      ...bodyOf('organizers', `Gone ${told}`, told),
      description: 'Plays the fiddle',
    });
    const metadata = {
      actor: { id: null, name: 'test' },
      instant: new Date(NOON * 1000).toISOString(),
      correlationId: 'erasure',
      causationId: 'erasure',
    };
    const { store, stores } = daybook;
    await erase({ store, keys: stores.keys, newEventId: randomUUID }, metadata, 'organizer', id);
    guard('organizer', id, EDITORS);
    names.push({ text: `erased-${id}`, writers: EDITORS });
  }

  for (const collection of COLLECTIONS)
    for (const owner of OWNERS) for (const status of STATUSES) await unpublished(collection, owner, status);
  daybook.clock.at += 3_600;
  const venue = await unpublished('venues', ['editor', true], 'draft');
  for (const collection of COLLECTIONS) for (const [owner] of OWNERS) await published(collection, owner);
  for (const [owner] of OWNERS) await locked(owner, venue);
  const users = await people();
  await forgotten();
  const keepers: readonly As[] = [...EDITORS, 'author', 'otherAuthor'];
  const { id: category } = await daybook.created('administrator', 'categories', {
    name: 'Guarded',
    _reason: mark('why there is a category', keepers),
  });
  guard('category', category, keepers);
  names.push({ text: 'guarded', writers: keepers });
  daybook.clock.at += 3_600;
  return { secrets, guarded, names, passwords, open: { ...(await openResources(daybook)), users } };
}

/** Resources that every caller may try to change. */
async function openResources(daybook: TestService): Promise<Omit<Words['ids'], 'users'>> {
  const made = {
    events: [] as number[],
    venues: [] as number[],
    organizers: [] as number[],
    categories: [] as number[],
    tags: [] as number[],
  };
  for (const as of ['administrator', 'author', 'contributor', 'otherAuthor', 'editor'] as const) {
    const hall = await daybook.created(as, 'venues', { venue: `Hall ${as}`, geo_lat: 50, geo_lng: 8 });
    const host = await daybook.created(as, 'organizers', { organizer: `Host ${as}` });
    const linked = { venue: hall.id, organizer: [host.id], tags: [`tag of ${as}`], categories: [`Category of ${as}`] };
    const event = await daybook.created(as, 'events', someEvent({ title: `Evening ${as}`, ...linked }));
    made.events.push(event.id);
    made.venues.push(hall.id);
    made.organizers.push(host.id);
    made.categories.push(event.categories[0].id);
    made.tags.push(event.tags[0].id);
  }
  return made;
}
