import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sitePrices } from '../../../../src/calendar/event/domain/currency.ts';
import { happenedBy, type Moment } from '../../../../src/editorial/history/queries/moments.ts';
import { openTermCounts } from '../../../../src/editorial/history/queries/term-counts.ts';
import { readAsOf, sourceAsOf, type WhichState } from '../../../../src/editorial/time-travel/queries/read-resource.ts';
import { assembleEvents } from '../../../../src/queries/assemble.ts';
import { event } from '../../../support/documents.ts';
import { CONTRIBUTOR, EDITOR, NEW_YORK, NOW, SUBSCRIBER } from '../../../support/given.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { eventDrafted, type GivenLog, givenLog, termCreated, venueDrafted } from '../history/given-log.ts';

const test = suite('the past');

const VISITOR = {
  caller: null,
  now: NOW + 500,
  links: { site: '', root: '', host: '' },
  siteZone: NEW_YORK,
  prices: sitePrices({ code: 'en', free: 'Free' }, null),
  password: undefined,
};

const pastOf = (log: GivenLog) => ({ ...log.dependencies, termCounts: openTermCounts(log.dependencies.store) });

test('a stream as of an instant ends before the first later event', async () => {
  const log = givenLog();
  // The clock was set back between the second and the third.
  for (const later of [0, 60, 30, 90]) log.add('event-12', 'EventFeatured', {}, later);
  const events = await log.dependencies.store.readStream('event-12');
  const count = (moment: Moment) => happenedBy(moment, events).length;
  assert.equal(
    [-1, 0, 59, 60, 89, 90].map((later) => count({ at: NOW + later })),
    [0, 1, 1, 3, 3, 4],
  );
  assert.equal(
    ['0', '00000000', '00000002', '1'].map((upTo) => count({ upTo })),
    [0, 1, 3, 4],
  );
});

test('terms are counted by the published events that carried them then', async () => {
  const log = givenLog();
  log.add('event-1', 'EventDrafted', eventDrafted({ id: 1, categories: [9, 9], tags: [9] }), 0);
  log.add('event-1', 'EventPublished', { date: NOW }, 10);
  log.add('event-2', 'EventDrafted', eventDrafted({ id: 2, categories: [9] }), 20);
  log.add('event-2', 'EventPublished', { date: NOW }, 20);
  log.add('event-1', 'EventCategorized', { categories: [8] }, 30);
  log.add('event-2', 'EventTrashed', { slug: 's', date: NOW }, 40);
  const counts = openTermCounts(log.dependencies.store);
  const at = async (later: number) => {
    const of = await counts.at({ at: NOW + later });
    return [of('category', 9), of('category', 8), of('tag', 9)];
  };
  const then = await Promise.all([-1, 0, 10, 20, 30, 40, 99].map(at));
  assert.equal(then, [
    [0, 0, 0],
    [0, 0, 0],
    [1, 0, 1],
    [2, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
    [0, 1, 1],
  ]);
  log.add('event-2', 'EventRestored', { status: 'publish', slug: 's', date: NOW }, 50);
  assert.equal(await at(50), [1, 1, 1], 'what is recorded later is counted, too');
  assert.equal(await at(40), [0, 1, 1]);
  const known = await counts.at({ at: NOW + 50 });
  counts.empty();
  assert.is(known('category', 9), 1, 'what was found stays');
  assert.equal(await at(40), [0, 1, 1], 'what was given back is counted again');
});

test('events are counted in pages that end early where events are very long', async () => {
  const log = givenLog();
  for (let id = 1; id <= 150; id++) log.add(`event-${id}`, 'EventDrafted', eventDrafted({ id, categories: [9] }));
  const { store } = log.dependencies;
  const read: number[] = [];
  const readAll: typeof store.readAll = async (options) => {
    assert.ok(Number(options.maxCharacters) <= 250_000);
    const events = await store.readAll(options);
    read.push(events.length);
    return events;
  };
  await openTermCounts({ readAll }).at({ at: NOW });
  assert.equal(read, [100, 50, 0]);
});

test('counting goes on after the store was away', async () => {
  const log = givenLog();
  log.add('event-1', 'EventDrafted', eventDrafted({ id: 1, tags: [9] }));
  log.add('event-1', 'EventPublished', { date: NOW });
  let isAway = true;
  const counts = openTermCounts({
    readAll: (options) => (isAway ? Promise.reject(new Error('away')) : log.dependencies.store.readAll(options)),
  });
  await counts.at({ at: NOW }).then(
    () => assert.unreachable(),
    (error: unknown) => assert.is((error as Error).message, 'away'),
  );
  isAway = false;
  assert.is((await counts.at({ at: NOW }))('tag', 9), 1);
});

test('a term stood where its ancestors were then', async () => {
  const log = givenLog();
  log.add('category-1', 'CategoryCreated', termCreated({ id: 1, slug: 'arts' }), 0);
  log.add('category-2', 'CategoryCreated', termCreated({ id: 2, slug: 'stage', parent: 1 }), 0);
  log.add('category-9', 'CategoryCreated', termCreated({ parent: 2 }), 0);
  log.add('category-2', 'CategoryDeleted', {}, 10);
  log.add('category-1', 'CategorySlugChanged', { slug: 'all-arts' }, 20);
  const at = async (later: number, caller: typeof EDITOR | null) => {
    const source = sourceAsOf(pastOf(log), { at: NOW + later }, caller);
    const term = (await source.termsOf([{ kind: 'category', id: 9 }])).get(9);
    return [term?.parent, term?.ancestorSlugs.join('/')];
  };
  assert.equal(await at(0, EDITOR), [2, 'arts/stage']);
  assert.equal(await at(0, null), [1, 'arts'], 'what is deleted today is hidden from the public');
  assert.equal(await at(20, null), [1, 'all-arts']);
});

test('an old state of an event shows the venue as it was then, and only if it is open today', async () => {
  const log = givenLog();
  log.add('venue-4', 'VenueDrafted', venueDrafted());
  log.add('venue-4', 'VenuePublished', { date: NOW });
  log.add('event-12', 'EventDrafted', eventDrafted({ venues: [{ id: 4, life: 0 }] }));
  log.add('event-12', 'EventPublished', { date: NOW });
  log.add('venue-4', 'VenueRenamed', { name: 'New Hall' }, 60);
  const read = async (which: WhichState, caller: typeof EDITOR | null = null) => {
    const past = await readAsOf(pastOf(log), { kind: 'event', id: 12 }, which, { ...VISITOR, caller });
    if ('refused' in past) return past.refused.why;
    return past.kind === 'post' ? (JSON.parse(past.answer.text).venue.venue ?? 'no venue') : 'a term';
  };
  assert.is(await read({ asOf: NOW }), 'Town Hall');
  assert.is(await read({ asOf: NOW + 59 }), 'Town Hall');
  assert.is(await read({ asOf: NOW + 60 }), 'New Hall');
  assert.is(await read({ revision: 1 }), 'no right');
  assert.is(await read({ revision: 1 }, SUBSCRIBER), 'no right');
  assert.is(await read({ revision: 1 }, EDITOR), 'Town Hall');
  log.add('venue-4', 'VenueMadePrivate', { date: NOW }, 120);
  assert.is(await read({ asOf: NOW }), 'no venue');
  assert.is(await read({ asOf: NOW }, CONTRIBUTOR), 'no venue');
  assert.is(await read({ asOf: NOW }, EDITOR), 'Town Hall');
  log.add('venue-4', 'VenuePublished', { date: NOW }, 180);
  log.add('venue-4', 'VenuePasswordSet', { hash: 'scrypt$' }, 180);
  assert.is(await read({ asOf: NOW }), 'no venue');
});

test('what cannot be folded is left out, and marked', async () => {
  const log = givenLog();
  log.add('event-12', 'EventDrafted', eventDrafted());
  log.add('event-12', 'EventSetToMusic', {});
  const found = await readAsOf(pastOf(log), { kind: 'event', id: 12 }, { revision: 1 }, { ...VISITOR, caller: EDITOR });
  assert.ok('answer' in found);
  const shown = JSON.parse(found.answer.text);
  assert.equal([found.revision, typeof shown.parked_at], [0, 'string']);
});

test('others have their turn before each long text of an event as it was', async () => {
  const rounds = async (texts: object) => {
    const log = givenLog();
    log.add('event-1', 'EventDrafted', eventDrafted({ id: 1, ...texts }), 0);
    log.add('event-1', 'EventPublished', { date: NOW }, 10);
    log.add('event-1', 'EventRetitled', { title: 'Later' }, 20);
    return roundsOf(async () => {
      const answer = await readAsOf(pastOf(log), { kind: 'event', id: 1 }, { asOf: NOW + 10 }, VISITOR);
      assert.ok('kind' in answer);
    });
  };
  const [long, other] = ['"a" '.repeat(10_000), '"b" '.repeat(10_000)];
  const none = await rounds({});
  const two = await rounds({ description: long, excerpt: other });
  // For the present and for the past two texts each, and each turn is two rounds.
  assert.is(two - none, 8);
});

test('others have their turn before each long text of events of a list as of an instant', async () => {
  const source = sourceAsOf(pastOf(givenLog()), { at: NOW }, null);
  const rounds = (undrawn: readonly string[]) => {
    const shown = event(1, { fragments: { full: '{}', masked: null, undrawn } });
    return roundsOf(() => assembleEvents({ readModel: source }, [shown], VISITOR, 'plain', new Set()));
  };
  assert.is((await rounds(['"c" '.repeat(10_000), '"d" '.repeat(10_000), 'short'])) - (await rounds(['short'])), 4);
});

test.run();
