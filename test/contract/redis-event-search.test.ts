// What a search finds in a calendar large enough for the index to be asked, whatever was changed before.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventDocument } from '../../src/read-model/documents.ts';
import {
  isVisible,
  NO_POSTS,
  type TextSearch,
  type TimeBounds,
  type Visibility,
} from '../../src/read-model/queries.ts';
import { openRedisReadModel, type RedisReadModel } from '../../src/read-model/redis/open.ts';
import { foldLetters } from '../../src/text/ascii-folding.ts';
import { event, eventQuery, PUBLIC, put, removed, saved } from '../support/documents.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const search = suite('search in Redis');

let server: RedisServer;
let model: RedisReadModel;
search.before(async () => {
  server = await startRedisServer();
  model = await openRedisReadModel({ url: server.url, fingerprint: 'test' });
});
search.after(async () => {
  await model.close();
  await server.stop();
});

const DAY = 86_400;
const PIECES = [
  'a',
  'b',
  'ab',
  'jazz',
  'é',
  '😀',
  '-',
  "'",
  ' ',
  ' ',
  '\n',
  ',',
  '.',
  '<p>',
  '</p>',
  '"',
  '+',
  '%',
  '\0',
];

const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''));
/** Folded, as a read model is asked for them. */
const words = fc.array(fc.constantFrom(...PIECES), { maxLength: 3 }).map((pieces) => foldLetters(pieces.join('')));
const fields = fc.record({
  title: texts,
  excerpt: texts,
  description: texts,
  startsAt: fc.integer({ min: -100, max: 100 }).map((days) => days * DAY),
  length: fc.constantFrom(0, 3_600, 2 ** 14, DAY, 9 * DAY, 90 * DAY),
  status: fc.constantFrom('publish', 'publish', 'publish', 'publish', 'draft'),
  author: fc.integer({ min: 1, max: 2 }),
  protected: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  hidden: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});
const instants = fc.option(fc.integer({ min: -110 * DAY, max: 110 * DAY }), { nil: undefined });
const OF_ONE: Visibility = { statuses: [], own: { author: 2, statuses: ['publish'] } };
const searches = fc.record({
  words: fc.array(words, { maxLength: 3 }),
  without: fc.array(words, { maxLength: 2 }),
  bounds: fc.record({ startsFrom: instants, endsAfter: instants, endsUntil: instants }),
  unmasked: fc.constantFrom(NO_POSTS, PUBLIC, OF_ONE),
  offset: fc.nat({ max: 150 }),
});

const many = { minLength: 150, maxLength: 320, size: 'max' } as const;
const cases = fc.record({
  /** Ids lie around the end of a chunk of the index. */
  firstId: fc.constantFrom(1, 2 ** 16 - 160, 2 ** 40),
  first: fc.array(fields, many),
  next: fc.array(fields, { maxLength: 150, size: 'max' }),
  gone: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }),
  searches: fc.array(searches, { minLength: 25, maxLength: 25 }),
});

const readable = (text: string): string => text.replaceAll('\0', '\ufffd');

const occurs = ({ title, excerpt, description }: EventDocument, word: string): boolean =>
  [title, excerpt, description].some((field) => readable(foldLetters(field)).includes(readable(word)));

const finds = (one: EventDocument, { words: wanted, without }: TextSearch): boolean =>
  wanted.every((word) => occurs(one, word)) && !without.some((word) => occurs(one, word));

const isWithin = (one: EventDocument, { startsFrom, endsAfter, endsUntil }: TimeBounds): boolean =>
  one.startsAt >= (startsFrom ?? -Infinity) &&
  one.endsAt > (endsAfter ?? -Infinity) &&
  one.endsAt <= (endsUntil ?? Infinity);

const inOrder = (one: EventDocument, other: EventDocument) =>
  one.startsAt - other.startsAt || one.date - other.date || one.id - other.id;

const given = (bounds: { readonly [name in keyof TimeBounds]: number | undefined }): TimeBounds =>
  Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));

search('finds the events that have all words and none of the excluded, in time, page by page', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ firstId, first, next, gone, searches: asked }) => {
      await model.clear();
      const calendar = new Map<number, EventDocument>();
      const enter = async (members: readonly (typeof first)[number][]) => {
        const events = members.map(({ length, status, ...one }, at) =>
          event(firstId + at, { ...one, status: status as EventDocument['status'], endsAt: one.startsAt + length }),
        );
        for (const one of events) calendar.set(one.id, one);
        await put(model, ...events.map(saved));
      };
      await enter(first);
      await enter(next);
      const away = [...new Set(gone)].map((at) => firstId + at);
      await put(model, ...away.map((id) => removed('event', id)));
      for (const id of away) calendar.delete(id);
      for (const { bounds: limits, offset, unmasked, ...text } of asked) {
        const bounds = given(limits);
        const expected = [...calendar.values()]
          .filter((one) => one.status === 'publish' && !one.hidden && (!one.protected || isVisible(one, unmasked)))
          .filter((one) => isWithin(one, bounds) && finds(one, text))
          .sort(inOrder);
        const page = { offset, limit: 40 };
        const query = eventQuery({
          visibility: PUBLIC,
          search: text,
          unmasked,
          bounds,
          page,
        });
        const { items, total } = await model.listEvents(query);
        assert.equal(
          { total, ids: items.map(({ id }) => id) },
          { total: expected.length, ids: expected.slice(offset, offset + 40).map(({ id }) => id) },
          JSON.stringify(query),
        );
      }
    }),
    { numRuns: 40, seed: 20_270_314 },
  ),
);

search(
  'a batch that is handed in before the one before is in takes out of the index what that one brought',
  async () => {
    await model.clear();
    const named = (title: string) => Array.from({ length: 300 }, (_, at) => saved(event(at + 1, { title })));
    const outcomes = await Promise.all([
      model.apply({ after: '', upTo: '1', changes: named('alpha') }),
      model.apply({ after: '1', upTo: '2', changes: named('beta') }),
    ]);
    assert.equal(outcomes, ['applied', 'applied']);
    const totals = ['alpha', 'beta'].map(async (word) => {
      const { total } = await model.listEvents(eventQuery({ search: { words: [word], without: [] } }));
      return total;
    });
    assert.equal(await Promise.all(totals), [0, 300]);
  },
);

search('common words are counted and excluded over many periods', async () => {
  await model.clear();
  const titles = ['common loud', 'common soft', 'common loud even', 'common', 'common more'];
  const events = Array.from({ length: 400 }, (_, at) => {
    const startsAt = at * DAY;
    return event(at + 1, { title: titles[at % 5] ?? '', startsAt, endsAt: startsAt + 3_600 });
  });
  await put(model, ...events.map(saved));
  const asked: readonly TextSearch[] = [
    { words: ['common'], without: ['loud'] },
    { words: ['common', 'loud'], without: [] },
    { words: ['loud', 'common'], without: ['even'] },
  ];
  for (const text of asked) {
    const expected = events.filter((one) => finds(one, text)).map(({ id }) => id);
    const { items, total } = await model.listEvents(eventQuery({ search: text, page: { offset: 55, limit: 20 } }));
    assert.equal({ total, ids: items.map(({ id }) => id) }, { total: expected.length, ids: expected.slice(55, 75) });
  }
});

search('of an index that has lost all its events nothing is left', async () => {
  await model.clear();
  const events = Array.from({ length: 300 }, (_, at) => event(at + 1, { title: `common word${at}` }));
  await put(model, ...events.map(saved));
  await put(model, ...events.map(({ id }) => removed('event', id)));
  const keys = await server.with((redis) => redis.keys('*'));
  const kept = keys
    .map((key) => key.slice(key.indexOf('}:') + 2))
    .filter((key) => /^([wkrR]|chunks|last|text)/.test(key));
  assert.equal(kept, []);
});

search('an emptied generation leaves nothing of its index behind', async () => {
  const events = Array.from({ length: 300 }, (_, at) => event(at + 1, { title: `common word${at}` }));
  await put(model, ...events.map(saved));
  await model.clear();
  const keys = await server.with((redis) => redis.keys('*'));
  const kept = keys
    .map((key) => key.slice(key.indexOf('}:') + 2))
    .filter((key) => /^([wkrR]|chunks|last|text)/.test(key));
  assert.equal(kept, []);
});

search.run();
