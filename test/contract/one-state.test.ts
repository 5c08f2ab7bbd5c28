// An event and what it embeds are read in two steps. A write that falls between them must not show in half of an answer.

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sitePrices } from '../../src/calendar/event/domain/currency.ts';
import { planEventList } from '../../src/calendar/event/queries/list-events.ts';
import { readEvent } from '../../src/calendar/resource/queries/get-one.ts';
import { openCalendarFeeds } from '../../src/exchange/feeds/calendar-feed.ts';
import { openSharedAnswers } from '../../src/http/caches/shared-answers.ts';
import { ENGLISH } from '../../src/locales/languages.ts';
import { openPageCalendar } from '../../src/pages/calendar.ts';
import type { Caller } from '../../src/people/auth/caller.ts';
import { keepingTerms, openBeyondViews } from '../../src/queries/log-fallback.ts';
import type { Document } from '../../src/read-model/documents.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { openRedisReadModel } from '../../src/read-model/redis/open.ts';
import { openSqliteReadModel } from '../../src/read-model/sqlite/open.ts';
import { SLOT } from '../../src/rendering/slots.ts';
import { event, put, saved, venue } from '../support/documents.ts';
import { zoneNamed } from '../support/given.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { link } from './read-model-check.ts';

const LINKS = { site: 'https://cal.example', root: 'https://cal.example/api', host: 'cal.example' };
const NOW = 1_000;
const UTC = zoneNamed('UTC');
const EDITOR: Caller = { id: 7, login: 'editor', name: 'Editor', role: 'editor' };

const unused = () => Promise.reject(new Error('not asked in this test'));

const fragments = (full: string) => ({ full, masked: null });

const DAY = '1970-01-01 00:00:00';
/** What states have that single reads show besides. */
const TEXTS = {
  ...{ description: '', image: null, address: '', city: '', stateprovince: '', zip: '', country: '', phone: '' },
  website: '',
};

/** Both resources, as one write leaves them. */
const written = (name: string): Document[] => [
  event(1, {
    venues: link(2),
    fragments: fragments(
      `{"title":"${name}","description":"","excerpt":"","url":"https://cal.example/1","image":false,"all_day":false,` +
        '"start_date":"2027-01-01 10:00:00","end_date":"2027-01-01 11:00:00","timezone":"UTC","timezone_abbr":"UTC",' +
        `"categories":[],"tags":[],"organizer":[],"venue":${SLOT.venue}}`,
    ),
    state: {
      ...{ ...TEXTS, title: name, excerpt: '', status: 'publish', slug: 'one', created: NOW, modified: NOW },
      ...{
        cost: null,
        languages: '',
        registrationUrl: '',
        venues: link(2),
        schedule: { start: DAY, end: DAY, startsAt: NOW, endsAt: NOW, allDay: true },
      },
    },
  }),
  venue(2, {
    fragments: fragments(`{"venue":"${name}","show_map":false}`),
    state: { ...TEXTS, name, coordinates: null },
  }),
];

interface Place {
  readonly model: ReadModel;
  /** The same, into which a write falls right before the next time that a venue is fetched. */
  readonly between: ReadModel;
  write(name: string): Promise<void>;
}

/** The names of event and venue in an answer. */
const namesIn = (json: string): string[] => {
  const { title, venue: shown } = JSON.parse(json);
  return [title, shown.venue];
};

function rules(engine: string, model: () => ReadModel): void {
  const test = suite<Place>(`one state on ${engine}`);

  test.before.each(async (context) => {
    let next: string | null = 'second';
    const write = (name: string) => put(model(), ...written(name).map(saved)).then(() => {});
    await write('first');
    Object.assign(context, {
      model: model(),
      write,
      between: {
        ...model(),
        async fetch(keys) {
          const name = keys.some(({ kind }) => kind === 'venue') ? next : null;
          if (name !== null) next = null;
          if (name !== null) await write(name);
          return model().fetch(keys);
        },
      } satisfies ReadModel,
    });
  });

  const reader = {
    caller: null,
    now: NOW,
    links: LINKS,
    siteZone: UTC,
    prices: sitePrices({ code: 'en', free: 'Free' }, null),
    password: undefined,
  };
  const queriesOf = (readModel: ReadModel) => ({
    ...{
      readModel,
      siteZone: UTC,
      perPage: 10,
      site: { name: null, language: ENGLISH, prices: sitePrices({ code: 'en', free: 'Free' }, null) },
    },
    verifyPassword: async () => false,
  });

  for (const caller of [null, EDITOR])
    test(`a single read for ${caller?.role ?? 'the public'}`, async ({ between }) => {
      const shared = openSharedAnswers({ version: between.version });
      const { text } = await shared.read(
        { caller, password: undefined, context: undefined, links: LINKS, now: NOW },
        'event 1',
        async () => {
          const [found = null] = await between.fetch([{ kind: 'event', id: 1 }]);
          const one = found?.kind === 'event' ? found : null;
          const read = await readEvent(queriesOf(between), one, { ...reader, caller }, 'reading');
          return { text: 'answer' in read ? read.answer.text : '', etag: '' };
        },
      );
      assert.equal(namesIn(String(text)), ['second', 'second']);
    });

  for (const password of [undefined, 'sesame'])
    test(`a list ${password ? 'with' : 'without'} a password`, async ({ between }) => {
      const shared = openSharedAnswers({ version: between.version });
      const given = { start_date: '1970-01-01' };
      const { list } = await shared.list(
        { caller: null, password, context: undefined, links: LINKS, now: NOW },
        () => planEventList(queriesOf(between), { ...given }, { ...reader, password }),
        'event-archive-page-not-found',
      );
      assert.equal(namesIn(JSON.stringify(JSON.parse(list.text()).events[0])), ['second', 'second']);
    });

  test('the pages', async ({ between }) => {
    const queries = queriesOf(between);
    const finder = { fetch: unused, findBySlug: unused, namedPage: unused };
    const beyondViews = openBeyondViews(keepingTerms(queries.readModel), { log: finder, now: unused }, () => false);
    const source = { queries, beyondViews };
    const list = await openPageCalendar(source).events({ now: NOW, links: LINKS }, {});
    assert.ok('events' in list);
    assert.equal(
      list.events.map((one) => namesIn(JSON.stringify(one))),
      [['second', 'second']],
    );
  });

  test('the page of an event', async ({ between }) => {
    const queries = queriesOf(between);
    const finder = { fetch: unused, findBySlug: unused, namedPage: unused };
    const beyondViews = openBeyondViews(keepingTerms(queries.readModel), { log: finder, now: unused }, () => false);
    const source = { queries, beyondViews };
    const page = await openPageCalendar(source).event({ now: NOW, links: LINKS }, 'event-1');
    assert.ok('post' in page);
    assert.equal(namesIn(JSON.stringify(page.post)), ['second', 'second']);
  });

  test('a calendar', async ({ model: whole, between }) => {
    const presentation = {
      cancelled: 'status',
      language: ENGLISH,
      prices: sitePrices({ code: 'en', free: 'Free' }, null),
    } as const;
    const outline = await openCalendarFeeds(queriesOf(whole)).outline({}, reader, presentation);
    assert.ok('pages' in outline);
    const pieces: string[] = [];
    for await (const piece of openCalendarFeeds(queriesOf(between)).text(outline, reader))
      pieces.push(Buffer.from(piece).toString());
    assert.equal(
      pieces
        .join('')
        .match(/^(SUMMARY|LOCATION):.*$/gm)
        ?.map((line) => line.trim()),
      ['SUMMARY:second', 'LOCATION:second'],
    );
  });

  test.run();
}

const server = await startRedisServer();
const redis = await openRedisReadModel({ url: server.url, fingerprint: 'test' });
const sqlite = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
rules('SQLite', () => sqlite);
rules('Redis', () => redis);

const after = suite('the stores');
after('end', async () => {
  await sqlite.close();
  await redis.close();
  await server.stop();
});
after.run();
