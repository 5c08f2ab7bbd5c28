// A calendar whose clock walks over starts, ends, midnights and writes: whatever is cached, no reader gets a page that
// would not be made now.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toInstant, toWallClock, type Zone } from '../../src/kernel/time/zone.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { seededBelow } from '../support/seeded.ts';
import { type As, startTestService, type TestService } from '../support/service.ts';
import { uncachedLists } from '../support/uncached.ts';

const STEPS = Number(process.env.DAYBOOK_PROPERTY_STEPS ?? 24);
const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_261_121);

const DAY = 86_400;
const HOUR = 3_600;

const LISTS: readonly (readonly [As, string])[] = [
  ['anonymous', '/events'],
  ['anonymous', '/events?per_page=2'],
  ['anonymous', '/events?per_page=2&page=2'],
  ['anonymous', '/events?strict_dates=1'],
  ['anonymous', '/events?start_date=now&strict_dates=1'],
  ['anonymous', '/events?starts_after=now&strict_dates=1'],
  ['anonymous', '/events?ends_after=now&strict_dates=1'],
  ['anonymous', '/events?starts_before=now&strict_dates=1'],
  ['anonymous', '/events?ends_before=now&strict_dates=1'],
  ['anonymous', '/events?start_date=tomorrow'],
  ['anonymous', '/events?start_date=today&end_date=%2B1+week'],
  ['anonymous', '/events?categories=music'],
  ['anonymous', '/events?categories=music&start_date=tomorrow'],
  ['anonymous', '/events?tags=loud&per_page=2'],
  ['anonymous', '/events?venue=4&start_date=2000-01-01'],
  ['anonymous', '/events?organizer=5&start_date=2000-01-01'],
  ['anonymous', '/events?search=event+1'],
  ['anonymous', '/events?collapse=series'],
  ['anonymous', '/events?post_parent=3&start_date=2000-01-01'],
  ['anonymous', '/events?include=1,2,3&start_date=2000-01-01'],
  ['anonymous', '/events?geoloc=true'],
  ['anonymous', '/venues'],
  ['anonymous', '/venues?only_with_upcoming=1'],
  ['anonymous', '/venues?only_with_upcoming=1&has_events=1'],
  ['anonymous', '/organizers?only_with_upcoming=true'],
  ['anonymous', '/categories'],
  ['anonymous', '/tags?hide_empty=0'],
  ['administrator', '/events'],
  ['author', '/events?status=any'],
  ['author', '/venues?only_with_upcoming=1'],
];

interface Walk {
  readonly kept: TestService;
  /** The same lists, made anew each time. */
  readonly fresh: ReturnType<typeof uncachedLists>;
  /** How many lists of events the service has had to make. */
  readonly reads: () => number;
}

async function begin(zone: string): Promise<Walk> {
  let reads = 0;
  const counted = (model: ReadModel): ReadModel => ({
    ...model,
    listEvents: (query, recall) => {
      reads += 1;
      return model.listEvents(query, recall);
    },
  });
  const kept = await startTestService({
    environment: { DAYBOOK_TIMEZONE: zone },
    wrap: (stores) => ({ ...stores, readModel: counted(stores.readModel) }),
  });
  return { kept, fresh: uncachedLists(kept), reads: () => reads };
}

const wall = (at: number, zone: Zone): string => toWallClock(at, zone);
const midnightAfter = (at: number, zone: Zone): number =>
  toInstant(
    `${wall(toInstant(`${wall(at, zone).slice(0, 10)} 12:00:00`, zone) + DAY, zone).slice(0, 10)} 00:00:00`,
    zone,
  );

const WEEKLY = { recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } };

/** One request that changes something. */
async function write({ kept }: Walk, below: (count: number) => number): Promise<void> {
  const zone = kept.config.siteZone;
  const times = () => {
    const start = kept.clock.at - HOUR + below(3 * DAY);
    return { start_date: wall(start, zone), end_date: wall(start + below(2 * HOUR) * below(2), zone) };
  };
  const known = (await kept.get('/events?status=any&per_page=50&start_date=2000-01-01', 'administrator')).body.events;
  const some = known?.[below(Math.max(known.length, 1))];
  const kind = some === undefined ? 0 : below(12);
  const other = known?.[below(Math.max(known.length, 1))];
  const to = (target: string, body: object) => kept.request('administrator', 'PATCH', target, body);
  if (kind <= 2) {
    const venue = below(2) === 0 ? {} : { venue: { venue: `Hall ${below(4)}` } };
    const organizer = below(2) === 0 ? {} : { organizer: { organizer: `Club ${below(4)}` } };
    const status = below(4) === 0 ? 'draft' : 'publish';
    const terms = { categories: below(2) === 0 ? ['Music'] : [], tags: below(2) === 0 ? ['Loud'] : [] };
    const title = `Event ${below(1_000)}`;
    await kept.created(below(3) === 0 ? 'author' : 'administrator', 'events', {
      title,
      status,
      ...times(),
      ...terms,
      ...(below(4) === 0 ? { hide_from_listings: true } : {}),
      ...venue,
      ...organizer,
    });
  } else if (kind === 3) await to(`/events/${some.id}`, times());
  else if (kind === 4) await to(`/events/${some.id}`, { status: some.status === 'publish' ? 'draft' : 'publish' });
  else if (kind === 5) await kept.request('administrator', 'DELETE', `/events/${some.id}`);
  else if (kind === 6) await to(`/events/${some.id}`, { categories: below(2) === 0 ? ['Music'] : [] });
  else if (kind === 7) await to(`/events/${some.id}`, { post_parent: other.id });
  else if (kind === 8) await kept.created('administrator', 'events', { title: 'Course', ...times(), ...WEEKLY });
  else if (kind === 9 && some.categories.length > 0)
    await to(`/categories/${some.categories[0].id}`, { name: `Music ${below(100)}` });
  else if (kind === 10 && some.organizer.length > 0)
    await kept.request('administrator', 'DELETE', `/organizers/${some.organizer[0].id}`);
  else if (some.venue?.id !== undefined) await to(`/venues/${some.venue.id}`, { venue: `House ${below(1_000)}` });
}

/** Where the clock may go: on a little, and around what may matter. */
async function nextInstant({ kept }: Walk, below: (count: number) => number): Promise<number> {
  const { at } = kept.clock;
  const around = below(3) - 1;
  const edge = await kept.readModel.nextEdge(at + 1);
  switch (below(6)) {
    case 0:
      return at;
    case 1:
      return at + 1;
    case 2:
      return Math.max(at, midnightAfter(at, kept.config.siteZone) + around);
    case 3:
      return at + below(2 * HOUR);
    default:
      return Math.max(at, (edge ?? at + DAY) + around);
  }
}

async function compare({ kept, fresh }: Walk, told: string): Promise<void> {
  for (const [as, target] of LISTS) {
    const expected = await fresh(as, target);
    for (const round of ['first', 'again']) {
      const found = await kept.get(target, as);
      const where = `${told}, ${as} ${target}, ${round}`;
      assert.is(found.status, expected.status, where);
      if (expected.status === 200) assert.is(found.text, expected.text, where);
    }
  }
}

async function walk(zone: string, from: string, seed: number): Promise<void> {
  const below = seededBelow(seed);
  const walk = await begin(zone);
  const { clock, config } = walk.kept;
  clock.at = toInstant(from, config.siteZone);
  try {
    for (let step = 0; step < STEPS; step++) {
      const told = `${zone}, seed ${seed}, step ${step}, ${wall(clock.at, config.siteZone)} (${clock.at})`;
      await compare(walk, told);
      if (below(3) === 0) await write(walk, below);
      else clock.at = await nextInstant(walk, below);
    }
    const asked = STEPS * 2 * LISTS.filter(([, target]) => target.startsWith('/events')).length;
    assert.ok(walk.reads() < asked * 0.5, `${walk.reads()} of ${asked} were read: nothing was kept to be stale`);
  } finally {
    await walk.kept.close();
  }
}

const WALKS: readonly (readonly [zone: string, from: string])[] = [
  ['UTC', '2026-12-30 22:00:00'],
  ['America/New_York', '2027-03-13 20:00:00'],
  ['Europe/Berlin', '2027-10-30 20:00:00'],
  ['Australia/Lord_Howe', '2027-04-03 20:00:00'],
  // The clocks change at midnight there: one day has none.
  ['America/Santiago', '2027-09-04 20:00:00'],
];

for (const [index, [zone, from]] of WALKS.entries())
  test(`no stale page while the clock walks on in ${zone}`, () => walk(zone, from, SEED + index));

test.run();
