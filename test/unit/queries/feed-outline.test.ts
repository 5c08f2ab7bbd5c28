// What a calendar will hold, while the calendar changes.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sitePrices } from '../../../src/calendar/event/domain/currency.ts';
import { feedOutline, openCalendarFeeds } from '../../../src/exchange/feeds/calendar-feed.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import type { QueryDependencies, Reader } from '../../../src/queries/reader.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { event, eventQuery, organizer, put, removed, saved, tag, venue } from '../../support/documents.ts';
import { zoneNamed } from '../../support/given.ts';
import { PRESENTATION } from '../http/feeds/sample-event.ts';

const COUNT = 1_100;

const READER: Reader = {
  caller: null,
  now: 0,
  siteZone: zoneNamed('UTC'),
  links: { site: 'http://cal.example', root: 'http://cal.example/api', host: 'cal.example' },
  prices: sitePrices({ code: 'en', free: 'Free' }, null),
  password: undefined,
};

const fragments = (timezone: string, allDay = false) => ({
  full: `{"all_day":${allDay},"start_date":"","timezone":${JSON.stringify(timezone)},"timezone_abbr":"X"}`,
  masked: null,
});

interface Calls {
  lists: number[];
  /** How many events were fetched at once. */
  fetched: number[];
  verified: number;
  beforeFetch: (call: number) => Promise<void>;
}

async function filled(count = COUNT): Promise<{ model: ReadModel; dependencies: QueryDependencies; calls: Calls }> {
  const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
  const all = Array.from({ length: count }, (_, index) =>
    saved(event(index + 1, { startsAt: 10_000 + index, endsAt: 20_000 + index, fragments: fragments('UTC') })),
  );
  await put(model, ...all);
  const calls: Calls = { lists: [], fetched: [], verified: 0, beforeFetch: async () => {} };
  const readModel: ReadModel = {
    ...model,
    findEvents(query) {
      calls.lists.push(query.page.limit);
      return model.findEvents(query);
    },
    async fetch(keys) {
      if (keys[0]?.kind === 'event') {
        calls.fetched.push(keys.length);
        await calls.beforeFetch(calls.fetched.length);
      }
      return model.fetch(keys);
    },
  };
  const verifyPassword = async () => {
    calls.verified += 1;
    return true;
  };
  const { siteZone } = READER;
  return {
    model,
    dependencies: {
      readModel,
      siteZone,
      perPage: 12,
      site: { name: null, language: ENGLISH, prices: sitePrices({ code: 'en', free: 'Free' }, null) },
      verifyPassword,
    },
    calls,
  };
}

const outlineOf = async (dependencies: QueryDependencies, reader = READER) =>
  (await feedOutline(dependencies, eventQuery(), reader, PRESENTATION)).outline;

test('a calendar is found once and looked through a few events at a time', async () => {
  const { dependencies, calls } = await filled();
  const { outline, isSettled } = await feedOutline(dependencies, eventQuery(), READER, PRESENTATION);
  assert.equal(calls.lists, [10_000]);
  assert.equal(calls.fetched.slice(0, 5), [50, 50, 50, 50, 50]);
  assert.equal([outline.pages.flat().length, outline.total, isSettled], [COUNT, COUNT, true]);
});

test('while a long calendar is looked through others have their turn', async () => {
  const { dependencies } = await filled(10_000);
  let turns = 0;
  let isDone = false;
  const others = async (): Promise<void> => {
    while (!isDone) {
      await nextTurn();
      turns += 1;
    }
  };
  const waiting = others();
  await outlineOf(dependencies);
  isDone = true;
  await waiting;
  assert.ok(turns > 10, `${turns} turns`);
});

test('an event that is taken away meanwhile hides no other', async () => {
  const { model, dependencies, calls } = await filled();
  calls.beforeFetch = async (call) => {
    if (call === 3) await put(model, removed('event', 3), removed('event', 500));
  };
  const { outline, isSettled } = await feedOutline(dependencies, eventQuery(), READER, PRESENTATION);
  assert.is(isSettled, false);
  assert.equal(
    outline.pages.flat(),
    Array.from({ length: COUNT }, (_, index) => index + 1).filter((id) => id !== 500),
  );
});

test('an event that is closed meanwhile is left out', async () => {
  const { model, dependencies, calls } = await filled();
  calls.beforeFetch = async (call) => {
    if (call === 2) await put(model, saved(event(500, { status: 'private', fragments: fragments('UTC') })));
  };
  const ids = (await outlineOf(dependencies)).pages.flat();
  assert.not.ok(ids.includes(500));
});

test('an event that comes in meanwhile doubles no other', async () => {
  const { model, dependencies, calls } = await filled();
  calls.beforeFetch = async (call) => {
    if (call === 2) await put(model, saved(event(5_000, { startsAt: 1, fragments: fragments('UTC') })));
  };
  const ids = (await outlineOf(dependencies)).pages.flat();
  assert.equal([new Set(ids).size, ids.length], [COUNT, COUNT]);
});

test('there is an end to a calendar', async () => {
  const { dependencies } = await filled(10_001);
  const { pages, total, head, isInLanguage } = await outlineOf(dependencies);
  const ids = pages.flat();
  assert.equal([ids.length, ids[0], total], [10_000, 1, 10_001]);
  const sentence = 'Only the first 10000 of 10001 dates.';
  for (const name of ['DESCRIPTION', 'X-WR-CALDESC']) assert.match(head, `${name}:${sentence}`);
  assert.ok(isInLanguage);
  const whole = await filled(10);
  assert.not.match((await outlineOf(whole.dependencies)).head, 'DESCRIPTION');
});

test('a zone is described for the years in which it is used, not for whole days', async () => {
  const { model, dependencies } = await filled(0);
  const at = (year: number) => Date.UTC(year, 5) / 1000;
  await put(
    model,
    saved(event(1, { startsAt: at(2020), endsAt: at(2025), fragments: fragments('Europe/Berlin') })),
    saved(event(2, { fragments: fragments('Asia/Tokyo', true) })),
    saved(event(3, { protected: true, fragments: fragments('Asia/Kolkata', true) })),
    saved(event(4, { fragments: fragments('Odd\\"timezone":"x') })),
  );
  const { head, described } = await outlineOf(dependencies);
  assert.equal([...described].sort(), ['Asia/Kolkata', 'Europe/Berlin', 'Odd\\"timezone":"x']);
  assert.not.match(head, 'Tokyo');
  assert.match(head, 'DTSTART:2020');
  assert.match(head, 'DTSTART:2025');
  assert.not.match(head, 'DTSTART:2022');
});

test('the tag distinguishes what changes the text, and nothing else', async () => {
  const { model, dependencies } = await filled(0);
  const base = event(1, {
    fragments: fragments('UTC'),
    venues: [{ id: 10, life: 0 }],
    organizers: [{ id: 11, life: 0 }],
    tags: [12],
  });
  await put(model, saved(base), saved(venue(10)), saved(organizer(11)), saved(tag(12)), saved(venue(13)));
  const tags = new Set<string>();
  const remember = async (reader = READER) => tags.add((await outlineOf(dependencies, reader)).etag);
  const assertNew = async (why: string, reader = READER) => {
    const before = tags.size;
    await remember(reader);
    assert.is(tags.size, before + 1, why);
  };
  await assertNew('first');
  await put(model, saved(venue(13, { revision: 7 })));
  await remember();
  assert.is(tags.size, 1, 'a venue of no event');
  await put(model, saved(venue(10, { revision: 1 })));
  await assertNew('venue');
  await put(model, saved(organizer(11, { revision: 1 })));
  await assertNew('organizer');
  await put(model, saved(tag(12, { revision: 1 })));
  await assertNew('term');
  await put(model, removed('venue', 10));
  await assertNew('venue gone');
  await put(model, saved({ ...base, revision: 1 }));
  await assertNew('event');
  await assertNew('links', { ...READER, links: { ...READER.links, root: 'http://cal.example/other' } });
  await assertNew('reader', { ...READER, caller: { id: 1, login: 'a', name: 'A', role: 'editor' } });
  await put(model, saved(event(2, { fragments: fragments('UTC') })));
  await assertNew('another event');
});

test('a password is tried on as many events as a page of the list has, however many there are', async () => {
  const { model, dependencies, calls } = await filled(480);
  const state = { passwordHash: 'hash' };
  const locked = Array.from({ length: 60 }, (_, index) =>
    saved(
      event(1_000 + index, {
        startsAt: 15_000,
        protected: true,
        state,
        fragments: { ...fragments('UTC'), masked: '{}' },
      }),
    ),
  );
  await put(model, ...locked);
  const { unlocked, etag } = await outlineOf(dependencies, { ...READER, password: 'x' });
  assert.equal([calls.verified, unlocked.size], [50, 50]);
  assert.is.not(etag, (await outlineOf(dependencies)).etag);
});

test('the public outline is cached until something changes', async () => {
  const { model, dependencies, calls } = await filled(3);
  const feeds = openCalendarFeeds(dependencies);
  const given = { start_date: '1970-01-01', end_date: '1970-01-02' };
  const [first, second] = await Promise.all([
    feeds.outline(given, READER, PRESENTATION),
    feeds.outline(given, READER, PRESENTATION),
  ]);
  assert.is(second, first, 'who asks meanwhile waits');
  assert.is(await feeds.outline(given, READER, PRESENTATION), first);
  assert.is(calls.lists.length, 1);
  await feeds.outline({ ...given, featured: true }, READER, PRESENTATION);
  await feeds.outline(given, { ...READER, links: { ...READER.links, host: 'other.example' } }, PRESENTATION);
  assert.is(calls.lists.length, 3, 'other questions are others');
  await put(model, removed('event', 1));
  const later = await feeds.outline(given, READER, PRESENTATION);
  assert.ok('pages' in later && later.pages.flat().length === 2);
  const before = calls.lists.length;
  await feeds.outline(given, { ...READER, password: 'x' }, PRESENTATION);
  await feeds.outline(given, { ...READER, password: 'x' }, PRESENTATION);
  assert.is(calls.lists.length, before + 2, 'those for a password are not');
});

test('an outline is not built once all who asked for it have gone', async () => {
  const { dependencies, calls } = await filled(3);
  const feeds = openCalendarFeeds(dependencies);
  const [gone, there] = [new AbortController(), new AbortController()];
  const ask = (day: string, { signal }: AbortController) =>
    feeds.outline({ start_date: '1970-01-01', end_date: day }, READER, PRESENTATION, signal);
  const first = ask('1970-01-02', there);
  const [left, shared] = [ask('1970-01-03', gone), [ask('1970-01-04', gone), ask('1970-01-04', there)]];
  gone.abort(new Error('gone'));
  const ends = await Promise.allSettled([first, left, ...shared]);
  assert.equal(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  assert.is(calls.lists.length, 2);
  assert.ok('pages' in (await ask('1970-01-03', there)), 'who asks later has it');
});

test.run();
